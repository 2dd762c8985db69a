import { expect } from 'chai';
import fc from 'fast-check';
import { fernet, FernetError, newKey } from '../../src/credentials/fernet.js';

const KEY = 'cw_0x689RpI-jtRR7oE8h_eQsKImvJapLeSbXpwF4e4=';
const at = (iso: string): number => Date.parse(iso) / 1000;
const BORN = at('1985-10-26T01:20:00-07:00');
const TOKEN = 'gAAAAAAdwJ6wAAECAwQFBgcICQoLDA0ODy021cpGVWKZ_eEwCGM4BLLF_5CV9dOPmrhuVUPgJobwOz7JcbmrR64jVmpU4IwqDA==';

// The vectors of the public specification (github.com/fernet/spec).
const INVALID: [what: string, token: string, now: string, says: string][] = [
  [
    'incorrect mac',
    'gAAAAAAdwJ6xAAECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPAl1-szkFVzXTuGb4hR8AKtwcaX1YdykQUFBQUFBQUFBQQ==',
    '01',
    'bad signature',
  ],
  ['too short', 'gAAAAAAdwJ6xAAECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPA==', '01', 'not a Fernet token'],
  [
    'invalid base64',
    '%%%%%%%%%%%%%AECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPAl1-szkFVzXTuGb4hR8AKtwcaX1YdykRtfsH-p1YsUD2Q==',
    '01',
    'not url-safe base64',
  ],
  [
    'payload size not multiple of block size',
    'gAAAAAAdwJ6xAAECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPOm73QeoCk9uGib28Xe5vz6oxq5nmxbx_v7mrfyudzUm',
    '01',
    'not a Fernet token',
  ],
  [
    'payload padding error',
    'gAAAAAAdwJ6xAAECAwQFBgcICQoLDA0ODz4LEpdELGQAad7aNEHbf-JkLPIpuiYRLQ3RtXatOYREu2FWke6CnJNYIbkuKNqOhw==',
    '01',
    'bad padding',
  ],
  [
    'far-future timestamp',
    'gAAAAAAdwStRAAECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPAnja1xKYyhd-Y6mSkTOyTGJmw2Xc2a6kBd-iX9b_qXQcw==',
    '01',
    'from the future',
  ],
  [
    'expired TTL',
    'gAAAAAAdwJ6xAAECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPAl1-szkFVzXTuGb4hR8AKtwcaX1YdykRtfsH-p1YsUD2Q==',
    '91',
    'expired',
  ],
  [
    'incorrect IV',
    'gAAAAAAdwJ6xBQECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPAkLhFLHpGtDBRLRTZeUfWgHSv49TF2AUEZ1TIvcZjK1zQ==',
    '01',
    'bad padding',
  ],
];

describe('Fernet', () => {
  it('generates the token of the specification', () => {
    const iv = Buffer.from(Array.from({ length: 16 }, (_, i) => i));
    expect(fernet(KEY, { time: BORN, iv }).encrypt('hello')).to.equal(TOKEN);
  });
  it('verifies the token of the specification', () => {
    expect(fernet(KEY).decrypt(TOKEN, { ttl: 60, now: BORN + 1 })).to.equal('hello');
  });
  for (const [what, token, seconds, says] of INVALID)
    it(`refuses the specification's token with ${what}`, () => {
      expect(() => fernet(KEY).decrypt(token, { ttl: 60, now: BORN + Number(seconds) })).to.throw(FernetError, says);
    });
  it('brings back any text, and only with its own key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        // half a surrogate pair is no text and has no UTF-8
        fc.pre(!/\p{Surrogate}/u.test(text));
        const token = fernet(KEY).encrypt(text);
        expect(fernet(KEY).decrypt(token)).to.equal(text);
        expect(() => fernet(newKey()).decrypt(token)).to.throw(FernetError, 'bad signature');
      }),
    );
  });
  it('refuses a token of which any one bit is another', () => {
    const bytes = Buffer.from(TOKEN, 'base64url');
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const other = Buffer.from(bytes);
        other[bit >> 3] = (other[bit >> 3] as number) ^ (1 << (bit & 7));
        const token = other.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
        expect(() => fernet(KEY).decrypt(token)).to.throw(FernetError);
      }),
    );
  });
  it('refuses what is no key', () => {
    for (const key of ['', 'x', KEY.slice(4), `${KEY}AAAA`, KEY.replace('_', '/'), 'ä'.repeat(44)])
      expect(() => fernet(key), key).to.throw(FernetError);
    expect(newKey()).to.match(/^[A-Za-z0-9_-]{43}=$/);
  });
});
