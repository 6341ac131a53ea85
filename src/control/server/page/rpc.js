// SPDX-License-Identifier: Apache-2.0
// JSON-RPC 2.0 over the WebSocket at /ws, which is opened again whenever it closes.
//
// Events: `state` (this.state is one of connecting, open, lost, unauthorised), `notification`.

const replyWithin = 10_000; // ms; a connection that takes longer is taken for lost
const firstPause = 500; // ms between attempts, doubled up to
const longestPause = 5_000;

export class RpcError extends Error {
  constructor({ code, message, data }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export class Connection extends EventTarget {
  state = 'connecting';
  #socket = null;
  #calls = new Map();
  #lastId = 0;
  #pause = firstPause;
  #timer = 0;
  #attempt = 0;
  #token = '';

  constructor(token = '') {
    super();
    this.#token = token;
    addEventListener('online', () => this.retry());
    document.addEventListener('visibilitychange', () => document.hidden || this.retry());
    this.#open();
  }

  /// The result, or an RpcError. Fails at once without a connection.
  call(method, params = {}) {
    if (this.state !== 'open') return Promise.reject(new RpcError({ message: 'No connection.' }));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => this.#lose(), replyWithin);
      this.#calls.set(id, { resolve, reject, late });
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  /// A handler that notes on the console why a question of the page's own was not answered. Of one that
  /// the connection was lost under nothing is to be noted: the page shows that.
  notes(what) {
    return (error) => this.state === 'open' && console.warn(`${what}: ${error.message}`);
  }

  /// Leaves this connection for one with another token; '': without.
  reopen(token) {
    this.#token = token;
    this.#pause = firstPause;
    clearTimeout(this.#timer);
    this.#drop();
    this.#open();
  }

  /// Whether the server takes a token.
  async accepts(token) {
    return (await this.#probe(token)) === 200;
  }

  /// Tries now.
  retry() {
    if (this.state !== 'lost' && this.state !== 'unauthorised') return;
    clearTimeout(this.#timer);
    this.#open();
  }

  async #open() {
    const attempt = ++this.#attempt;
    this.#set('connecting');
    // A browser does not tell why a WebSocket was refused; a plain request does.
    const status = await this.#probe();
    if (attempt !== this.#attempt) return; // another was begun meanwhile
    if (status === 401) return this.#set('unauthorised');
    if (status !== 200) return this.#lose();
    const protocols = this.#token ? ['hild', `bearer.${this.#token}`] : ['hild'];
    const url = new URL('/ws', location.href);
    url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(url, protocols);
    this.#socket = socket;
    socket.onopen = () => {
      this.#pause = firstPause;
      this.#set('open');
    };
    socket.onmessage = (event) => this.#take(JSON.parse(event.data));
    socket.onclose = () => socket === this.#socket && this.#lose();
  }

  async #probe(token = this.#token) {
    const headers = { 'Content-Type': 'application/json' };
    if (token) headers.Authorization = `Bearer ${token}`;
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'status' });
    try {
      return (await fetch('/rpc', { method: 'POST', headers, body })).status;
    } catch {
      return 0;
    }
  }

  #take(message) {
    if (message.method) {
      this.dispatchEvent(new CustomEvent('notification', { detail: message }));
      return;
    }
    const call = this.#calls.get(message.id);
    if (!call) return;
    this.#calls.delete(message.id);
    clearTimeout(call.late);
    if (message.error) call.reject(new RpcError(message.error));
    else call.resolve(message.result);
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    for (const { reject, late } of this.#calls.values()) {
      clearTimeout(late);
      reject(new RpcError({ message: 'The connection was lost before the reply came.' }));
    }
    this.#calls.clear();
  }

  #lose() {
    this.#drop();
    this.#set('lost');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.retry(), this.#pause);
    this.#pause = Math.min(2 * this.#pause, longestPause);
  }

  #set(state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event('state'));
  }
}
