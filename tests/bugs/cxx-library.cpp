// Containers, strings, smart pointers, virtual functions and output of C++ run as they are.
// flags: -- -std=c++17
// verdict: rc11 pass
// verdict[-std=c++20]: rc11 pass
// finding[-DUNSHARED]: rc11 use-after-free
#include <algorithm>
#include <array>
#include <cassert>
#include <deque>
#include <functional>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

struct Shape {
  virtual ~Shape () {}
  virtual int corners () const = 0;
};
struct Square : Shape {
  int corners () const override { return 4; }
};

static void containers () {
  std::map<int, std::string> m;
  for (int i : {5, 3, 8, 1, 4, 7, 9, 2, 6}) m[i] = std::to_string (i);
  for (int k : {5, 1, 9, 4}) m.erase (k);
  std::string all;
  for (auto &[key, text] : m) all += text;
  assert (all == "23678" && std::prev (m.end ())->first == 8 && m.count (3) && !m.count (5));
  std::set<int> s{3, 1, 2};
  assert (*s.begin () == 1 && s.size () == 3);
  std::list<int> l{1, 2, 3};
  l.push_front (0);
  l.remove (2);
  assert (std::accumulate (l.begin (), l.end (), 0) == 4);
  std::unordered_map<std::string, int> u;
  for (int i = 0; i < 20; i++) u["k" + std::to_string (i)] = i;
  assert (u.at ("k13") == 13 && u.size () == 20);
  std::deque<int> d;
  for (int i = 0; i < 10; i++) d.push_back (i);
  d.pop_front ();
  std::priority_queue<int> q;
  for (int i : {2, 5, 3}) q.push (i);
  std::array<int, 3> a{3, 1, 2};
  std::sort (a.begin (), a.end ());
  assert (d.front () == 1 && q.top () == 5 && a[0] == 1);
  std::optional<int> o;
  o = 3;
  std::variant<int, double> v = 2.5;
  assert (*o == 3 && std::get<double> (v) == 2.5);
  std::cout << all << ' ' << 1.5 << std::string (" text\n") << std::flush;
  std::cerr << true << 5ul << std::endl;
}

int main () {
  containers ();
  std::unique_ptr<Shape> shape = std::make_unique<Square> ();
  std::function<int (int)> add = [&] (int n) { return n + shape->corners (); };
  assert (add (1) == 5);
#ifdef UNSHARED
  int *p = new int (7);
  std::thread t ([p] { assert (*p == 7); });
  delete p;
#else
  std::shared_ptr<int> p = std::make_shared<int> (7);
  std::weak_ptr<int> w = p;
  std::thread t ([p] { assert (*p == 7); });
  p.reset ();
#endif
  t.join ();
#ifndef UNSHARED
  assert (w.expired ());
#endif
}
