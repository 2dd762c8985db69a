/** MCP servers and a client to test with. Every server is a process of its own: start it with {@link fixtureCommand}. */
export { RawClient, type ClientOptions, type Pending, type RequestOptions } from './client/base.js';
export { HttpClient, openHttp, type HttpOptions, type RawResponse } from './client/http.js';
export { openStdio, StdioClient, type StdioTarget } from './client/stdio.js';
export { fixtureCommand, startFixture, type FixtureName, type RunningFixture } from './fixture-command.js';
export { RpcFailure, type RpcId } from './rpc.js';
