/* sha256.c - FIPS 180-4, for whoever has to name a file by its content. */
#include "base/base.h"

static const u32 rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static u32 turn (u32 x, int n) { return x >> n | x << (32 - n); }

static void add_block (u32 state[8], const u8 *block) {
  u32 w[64], s[8];
  for (u32 i = 0; i < 16; i++)
    w[i] = (u32)block[4 * i] << 24 | (u32)block[4 * i + 1] << 16 | (u32)block[4 * i + 2] << 8 |
           block[4 * i + 3];
  for (u32 i = 16; i < 64; i++) {
    u32 a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (turn (a, 7) ^ turn (a, 18) ^ a >> 3) + w[i - 7] +
           (turn (b, 17) ^ turn (b, 19) ^ b >> 10);
  }
  memcpy (s, state, sizeof s);
  for (u32 i = 0; i < 64; i++) {
    u32 one = s[7] + (turn (s[4], 6) ^ turn (s[4], 11) ^ turn (s[4], 25)) +
              ((s[4] & s[5]) ^ (~s[4] & s[6])) + rounds[i] + w[i];
    u32 two = (turn (s[0], 2) ^ turn (s[0], 13) ^ turn (s[0], 22)) +
              ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    memmove (s + 1, s, 7 * sizeof *s);
    s[4] += one;
    s[0] = one + two;
  }
  for (u32 i = 0; i < 8; i++) state[i] += s[i];
}

void sha256 (const void *data, size_t size, Str *out) {
  u32 state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  u8 tail[128] = {0};
  size_t whole = size / 64 * 64, rest = size - whole, length = rest < 56 ? 64 : 128;
  for (size_t at = 0; at < whole; at += 64) add_block (state, (const u8 *)data + at);
  if (rest) memcpy (tail, (const u8 *)data + whole, rest);
  tail[rest] = 0x80;
  for (u32 i = 0; i < 8; i++) tail[length - 1 - i] = (u8)((u64)size * 8 >> 8 * i);
  for (size_t at = 0; at < length; at += 64) add_block (state, tail + at);
  for (u32 i = 0; i < 8; i++) str_printf (out, "%08x", state[i]);
}
