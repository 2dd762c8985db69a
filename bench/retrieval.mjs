#!/usr/bin/env node
// Search in a generated folder of Markdown: how fast it is indexed, found in, and followed when a file changes.
//   node bench/retrieval.mjs [DOCUMENTS] [PASSAGES PER DOCUMENT]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { definePlugin, serviceToken } from '@coffer/kernel';
import { createTestKernel } from '@coffer/kernel/testing';
import retrievalPlugin from '@coffer/retrieval';

const DOCUMENTS = Number(process.argv[2] ?? 10_000);
const PASSAGES = Number(process.argv[3] ?? 10);
const home = mkdtempSync(path.join(tmpdir(), 'coffer-retrieval-'));
const folder = path.join(home, 'corpus');

// A vocabulary with the frequencies of a language (Zipf), the same in each run.
let seed = 42;
const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
const syllables = 'ka lo mi ten ra su vor pel din qua zu her fa gol'.split(' ');
const vocabulary = Array.from({ length: 20_000 }, (_, i) => {
  let word = '';
  for (let n = i + 14; n > 0; n = Math.floor(n / 14)) word += syllables[n % 14];
  return word;
});
const word = () => vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? vocabulary[0];
const words = (n) => Array.from({ length: n }, word).join(' ');
for (let d = 0; d < DOCUMENTS; d++) {
  const parts = Array.from({ length: PASSAGES }, (_, p) => `## ${words(3)}\n\n${words(60)}. Ticket ABC-${d}${p}.`);
  const at = path.join(folder, String(d % 100));
  mkdirSync(at, { recursive: true });
  writeFileSync(path.join(at, `${d}.md`), `# ${words(4)}\n\n${parts.join('\n\n')}\n`);
}

let retrieval;
const user = definePlugin({
  name: 'bench',
  apiVersion: 1,
  requires: ['retrieval'],
  register: (kernel) => void (retrieval = kernel.use(serviceToken('retrieval'))),
});
const k = await createTestKernel({ plugins: [retrievalPlugin, user], home });
const store = retrieval.store({ id: 'bench/all', folder });
const timed = async (work) => {
  const from = performance.now();
  const value = await work();
  return [performance.now() - from, value];
};
const quantile = (all, q) => all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * q))];
const row = (name, times) =>
  console.log(`${name}: p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms`);

const [indexing] = await timed(() => store.sync());
const chunks = k.services.db.prepare('SELECT count(*) FROM retrieval_chunks').pluck().get();
console.log(
  `${DOCUMENTS} documents, ${chunks} passages: indexed in ${(indexing / 1000).toFixed(1)} s, ${Math.round((DOCUMENTS / indexing) * 1000)} documents/s`,
);
const [look] = await timed(() => store.sync());
console.log(`a look at ${DOCUMENTS} files that did not change: ${look.toFixed(1)} ms`);

for (const [name, query] of [
  ['one rare word', () => vocabulary[5000 + Math.floor(random() * 10_000)]],
  ['two words', () => words(2)],
  ['a sentence of eight words', () => words(8)],
  ['an identifier', () => `ABC-${Math.floor(random() * DOCUMENTS)}3`],
  ['a part of a word', () => vocabulary[9000 + Math.floor(random() * 9000)].slice(1, -1)],
]) {
  const times = [];
  for (let i = 0; i < 60; i++) times.push((await timed(() => store.search(query(), 5)))[0]);
  row(`search, ${name}`, times);
}
const greps = [];
for (let i = 0; i < 5; i++) greps.push((await timed(() => store.grep(`ABC-${i}77`, 200)))[0]);
row('grep', greps);
const edits = [];
for (let i = 0; i < 20; i++) {
  writeFileSync(path.join(folder, '7', '7.md'), `# Edited\n\n${words(200)} edited${i}\n`);
  edits.push((await timed(() => store.search(`edited${i}`, 5)))[0]);
}
row('found after an edit', edits);
const [rebuilding] = await timed(() => store.rebuild());
console.log(`rebuilt in ${(rebuilding / 1000).toFixed(1)} s`);
await k.stop({ keep: true });
rmSync(home, { recursive: true, force: true });
