import { expect } from 'chai';
import { expand, variablesOf } from '../../plugins/kind-mcp-server/src/ui/expand.js';

describe('a URI made from a template and what was typed', () => {
  // Examples of RFC 6570, sections 1.2 and 3.2.
  const values = { var: 'value', hello: 'Hello World!', path: '/foo/bar', x: '1024', y: '768', empty: '' };
  for (const [template, uri] of [
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World!'],
    ['{+hello}', 'Hello%20World!'],
    ['{path}', '%2Ffoo%2Fbar'],
    ['{+path}/here', '/foo/bar/here'],
    ['X{#hello}', 'X#Hello%20World!'],
    ['map?{x,y}', 'map?1024,768'],
    ['X{.x,y}', 'X.1024.768'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{;x,y,empty}', ';x=1024;y=768;empty'],
    ['{?x,y,empty}', '?x=1024&y=768&empty='],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{?x,undef}', '?x=1024'],
    ['{?undef}', ''],
    ['O{undef}X', 'OX'],
    ['{var*}', 'value'],
    ['none', 'none'],
    ['a{', 'a{'],
  ] as const)
    it(template, () => expect(expand(template, values)).to.equal(uri));

  it('asks for each name once', () => {
    expect(variablesOf('a://{x}/{+y*}{?x,z:3}')).to.deep.equal(['x', 'y', 'z']);
    expect(variablesOf('a://none')).to.deep.equal([]);
  });
});
