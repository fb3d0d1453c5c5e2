#!/usr/bin/env node
/* The page of --format html in a real browser: it renders, layers can be switched, the slider steps, keys work, it is readable
 * without script, in the dark and on paper, and nothing is fetched.
 *
 * usage: tests/report/browser.js [PORF]
 *
 * Needs Debian's chromium and npm's playwright-core, which `scripts/deps tests` installs into build/browser. PORF_SHOTS=DIR keeps
 * screenshots. */
'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs'), os = require('node:os'), path = require('node:path');
const assert = require('node:assert/strict');

const root = path.join(__dirname, '..', '..');
const porf = path.resolve(process.argv[2] || path.join(root, 'build', 'porf'));
const { chromium } = require(path.join(root, 'build', 'browser', 'node_modules', 'playwright-core'));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'porf-page-'));
const kinds = [...fs.readFileSync(path.join(root, 'src/core/finding.def'), 'utf8').matchAll(/^FINDING \(\w+, "([^"]+)"/gm)].map(m => m[1]);

/* Makes a page; its name, and the result that it is about. */
function page_of(name, ...args) {
  const html = path.join(folder, name + '.html'), json = path.join(folder, name + '.json');
  const p = spawnSync(porf, ['check', '-q', '--help-time', '60', '--save', html, '--save', json, ...args], { cwd: root });
  assert.ok([0, 42].includes(p.status), `porf: ${p.status} ${p.stderr}`);
  return { url: 'file://' + html, result: JSON.parse(fs.readFileSync(json, 'utf8')) };
}

let browser, passed = 0, failed = 0;

/* Opens a page, runs the test, and insists that nothing was fetched and nothing went wrong on the way. */
async function test(name, made, options, run) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 }, ...options });
  const page = await context.newPage(), trouble = [];
  page.on('pageerror', e => trouble.push('error: ' + e.message));
  page.on('console', m => { if (['error', 'warning'].includes(m.type())) trouble.push(m.text()); });
  page.on('request', r => { if (r.url() !== made.url) trouble.push('request: ' + r.url()); });
  try {
    await page.goto(made.url);
    await run(page, made.result);
    if (process.env.PORF_SHOTS) await page.screenshot({ path: path.join(process.env.PORF_SHOTS, name.replace(/\W+/g, '-') + '.png'), fullPage: true });
    assert.deepEqual(trouble, []);
    passed++;
  } catch (e) {
    failed++;
    console.log(`FAIL tests/report browser ${name}\n     ${e.message.split('\n').slice(0, 6).join('\n     ')}`);
  }
  await context.close();
}

const count = (page, selector) => page.locator(selector).count();

/* Every kind of finding: its events, threads and explanation are there. */
async function renders(page, result) {
  const f = result.findings[0];
  const text = await page.locator('article.finding').innerText();
  assert.ok(text.includes(f.message), 'no message');
  for (const n of f.notes) assert.ok(text.includes(n.text), `no note: ${n.text}`);
  for (const key of ['why', 'help']) if (f[key]) assert.ok(text.includes(f[key]), `no ${key}`);
  if (!f.execution.length) return;
  if (await count(page, 'input.whole')) await page.locator('input.whole').check();
  assert.equal(await count(page, '.event'), f.execution.length);
  const labels = await page.locator('.event').evaluateAll(list => list.map(e => e.getAttribute('aria-label')));
  f.execution.forEach((e, i) => assert.ok(labels[i].startsWith(`${e.thread}: ${e.text}`), labels[i]));
  const threads = await page.locator('.canvas').innerText();
  for (const t of f.threads) assert.ok(threads.includes(t.title), `no thread ${t.title}`);
  const boxes = await page.locator('.event rect').evaluateAll(list => list.map(r => r.getBoundingClientRect()).map(r => [r.left, r.top, r.right, r.bottom]));
  for (let i = 0; i < boxes.length; i++) for (let k = 0; k < i; k++)
    assert.ok(boxes[i][0] >= boxes[k][2] || boxes[k][0] >= boxes[i][2] || boxes[i][1] >= boxes[k][3] || boxes[k][1] >= boxes[i][3], `events ${k} and ${i} overlap`);
}

async function layers(page, result) {
  const f = result.findings[0];
  if (await count(page, 'input.whole')) await page.locator('input.whole').check();
  await page.locator('input.starts').check();
  const names = await page.locator('[data-layer][type=checkbox]').evaluateAll(list => list.map(b => b.dataset.layer));
  for (const name of ['po', 'rf', 'mo', 'fr', 'hb', 'sw']) assert.ok(names.includes(name), `no layer ${name} among ${names}`);
  for (const name of names) {
    const box = page.locator(`input[data-layer=${name}]`), edges = `.edge[data-layer=${name}]`;
    await box.check();
    assert.ok(await count(page, edges) > 0, `${name} shows nothing`);
    await box.uncheck();
    assert.equal(await count(page, edges), 0, `${name} stays`);
    await box.check();
  }
  const reads = f.execution.filter(e => e.from !== undefined).length;
  assert.equal(await count(page, '.edge[data-layer=rf]'), reads);
  const others = f.relations.hb.filter(([a, b]) => f.execution[a].thread !== f.execution[b].thread && f.execution[a].kind !== 'create');
  assert.equal(await count(page, '.edge[data-layer=hb]'), others.length);
  assert.ok(others.length);
}

async function slider(page, result) {
  const f = result.findings[0], n = f.execution.length, range = page.locator('input[type=range]');
  if (await count(page, 'input.whole')) await page.locator('input.whole').check();
  const here = () => count(page, '.event:not(.later)');
  assert.equal(await here(), n);
  for (const step of [0, 1, n - 1, n]) {
    await range.fill(String(step));
    assert.equal(await here(), step);
    assert.ok((await page.locator('output').innerText()).startsWith(`step ${step} of ${n}`));
  }
  await range.fill('2');
  await page.locator('button.back').click();
  assert.equal(await here(), 1);
  await page.locator('button.forth').click();
  await page.locator('button.forth').click();
  assert.equal(await here(), 3);
  const order = f.interleaving || f.execution.map((_, i) => i);
  assert.equal(await page.locator('.event.now').getAttribute('data-event'), String(order[2]));
  await range.press('ArrowLeft');
  assert.equal(await here(), 2);
}

async function keys(page, result) {
  const focused = () => page.evaluate(() => document.activeElement.dataset.event);
  for (let i = 0; i < 60 && (await focused()) === undefined; i++) await page.keyboard.press('Tab');
  const first = await focused(), f = result.findings[0];
  assert.notEqual(first, undefined, 'no event can be reached with the tab key');
  await page.keyboard.press('ArrowUp');
  const above = await focused();
  assert.notEqual(above, first);
  assert.equal(f.execution[above].thread, f.execution[first].thread);
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(), first);
  await page.keyboard.press('ArrowLeft');
  assert.notEqual(f.execution[await focused()].thread, f.execution[first].thread);
  const side = await page.locator('.side').innerText();
  assert.ok(side.includes(f.execution[await focused()].text), 'the side does not follow');
  const before = await count(page, '.edge[data-layer=rf]');
  await page.keyboard.press('2');
  assert.equal(await count(page, '.edge[data-layer=rf]'), 0);
  await page.keyboard.press('2');
  assert.equal(await count(page, '.edge[data-layer=rf]'), before);
  await page.keyboard.press(',');
  assert.ok((await page.locator('output').innerText()).startsWith(`step ${f.execution.length - 1} `));
  await page.keyboard.press('.');
  assert.ok((await page.locator('output').innerText()).startsWith(`step ${f.execution.length} `));
}

/* A click on a note, on an event: the side shows the source. */
async function clicks(page, result) {
  const f = result.findings[0], note = f.notes.find(n => n.event !== undefined), e = f.execution[note.event];
  await page.locator('.note[data-event]').first().click();
  const side = await page.locator('.side').innerText();
  assert.ok(side.includes(e.text) && side.includes(result.sources[e.file][e.line].trim().slice(0, 30)), side);
}

/* What a read could not have seen: the cycle that forbids it comes and goes. */
async function cycles(page, result) {
  const f = result.findings[0], forbidden = f.neighbours.filter(n => n.read === f.event && n.cycle);
  await page.locator(`.event[data-event="${f.event}"]`).click();
  assert.equal(await count(page, '.others li'), f.neighbours.filter(n => n.read === f.event).length);
  assert.equal(await count(page, 'button.cycle'), forbidden.length);
  await page.locator('button.cycle').last().click();
  assert.equal(await count(page, '.edge.cycle'), forbidden.at(-1).cycle.length);
  if (process.env.PORF_SHOTS) await page.screenshot({ path: path.join(process.env.PORF_SHOTS, 'cycle.png'), fullPage: true });
  await page.locator('button.cycle').last().click();
  assert.equal(await count(page, '.edge.cycle'), 0);
}

const background = page => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number).reduce((a, b) => a + b));

async function dark(page) {
  assert.ok(await background(page) < 200, 'not dark');
  await page.locator('#theme').click();
  assert.ok(await background(page) > 600, 'does not get light');
  await page.locator('#theme').click();
}

async function light(page) { assert.ok(await background(page) > 600, 'not light'); }

async function print(page) {
  await page.locator('input[type=range]').fill('1');
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('.controls').isVisible(), false);
  assert.equal(await page.locator('.event').last().evaluate(e => getComputedStyle(e).opacity), '1');
  assert.ok((await page.pdf()).length > 5000);
}

async function without_script(page, result) {
  const f = result.findings[0], text = await page.locator('article.finding').innerText();
  assert.ok(text.includes(f.message) && text.includes(f.why));
  await page.locator('details.events summary').click();
  assert.equal(await count(page, 'details.events tr'), f.execution.length + 1);
}

async function narrow(page) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 420, `${wide} pixels wide`);
}

async function last(page, result) {
  assert.equal(result.findings.length, 0);
  assert.ok(await count(page, '.event') > 0);
  assert.ok((await page.locator('h2').innerText()).includes('pass'));
}

async function main() {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'] });
  const kind_page = kind => {
    const file = `examples/explain/${kind}.c`, flags = fs.readFileSync(path.join(root, file), 'utf8').match(/^\/\/ flags: (.*)$/m);
    return page_of(kind, ...(flags ? flags[1].split(' ') : []), file);
  };
  for (const kind of kinds) await test(`renders ${kind}`, kind_page(kind), {}, renders);
  await test('renders load buffering', page_of('lb', '-m', 'imm', 'examples/explain/imm.c'), {}, renders);
  const seqlock = page_of('seqlock', 'tests/structures/seqlock.c', '--', '-DBUG=2'), mp = page_of('mp', 'examples/mp.c');
  await test('renders seqlock', seqlock, {}, renders);
  await test('layers', seqlock, {}, layers);
  await test('slider', seqlock, {}, slider);
  await test('slider of an interleaving', kind_page('double-free'), {}, slider);
  await test('keys', seqlock, {}, keys);
  await test('cycles', seqlock, {}, cycles);
  await test('clicks', mp, {}, clicks);
  await test('dark', mp, { colorScheme: 'dark' }, dark);
  await test('light', mp, { colorScheme: 'light' }, light);
  await test('print', mp, {}, print);
  await test('offline', seqlock, { offline: true }, renders);
  await test('without script', mp, { javaScriptEnabled: false }, without_script);
  await test('narrow', mp, { viewport: { width: 420, height: 800 } }, narrow);
  await test('last execution', page_of('fixed', 'examples/mp.c', '--', '-DFIXED'), {}, last);
  await browser.close();
  fs.rmSync(folder, { recursive: true });
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}

main().catch(e => { console.log(e); process.exit(1); });
