// What mocha's own `spec` prints, and the counts as JSON in the file that COFFER_MOCHA_RESULT names, for scripts/verify.mjs.
const { writeFileSync } = require('node:fs');
const Mocha = require('mocha');

module.exports = class extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failed = [];
    runner.on('fail', (test, error) =>
      failed.push({ title: test.fullTitle(), file: test.file, message: error.message }),
    );
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      const file = process.env.COFFER_MOCHA_RESULT;
      if (file) writeFileSync(file, `${JSON.stringify({ passes, failures, pending, failed }, null, 2)}\n`);
    });
  }
};
