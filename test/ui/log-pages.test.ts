import { expect } from 'chai';
import { LogPages } from '../../ui/src/pages/log-pages.js';

/** Rows from `first` down to `last`. */
const rows = (first: number, last: number): { id: number }[] =>
  Array.from({ length: first - last + 1 }, (_, i) => ({ id: first - i }));

describe('the pages of a log', () => {
  it('have no gap when news push rows out of the newest page', () => {
    const log = new LogPages();
    log.newest(rows(100, 91), 91);
    log.older(rows(90, 81), 81);
    log.newest(rows(104, 95), 95);
    expect(log.rows).to.deep.equal(rows(104, 81));
    expect(log.cursor).to.equal(81);
    log.newest(rows(104, 95), 95);
    expect(log.rows).to.deep.equal(rows(104, 81));
  });

  it('begin anew when more came than a page holds, for what lies between is not known', () => {
    const log = new LogPages();
    log.newest(rows(100, 91), 91);
    log.older(rows(90, 81), 81);
    log.newest(rows(200, 191), 191);
    expect(log.rows).to.deep.equal(rows(200, 191));
    expect(log.cursor).to.equal(191);
  });

  it('know their end, also after news, and are empty when all was pruned', () => {
    const log = new LogPages();
    log.newest(rows(10, 1), null);
    expect(log.cursor).to.equal(null);
    log.newest(rows(12, 3), 3);
    expect([log.rows, log.cursor]).to.deep.equal([rows(12, 1), null]);
    log.newest([], null);
    expect([log.rows, log.cursor]).to.deep.equal([[], null]);
  });

  it('take a page that comes twice once', () => {
    const log = new LogPages();
    log.newest(rows(30, 21), 21);
    log.older(rows(20, 11), 11);
    log.older(rows(20, 11), 11);
    expect(log.rows).to.deep.equal(rows(30, 11));
  });
});
