import { threadId } from 'node:worker_threads'

// Test files run in threads of one process, and what one broadcasts, all hear: Dexie would read a cart again for each
// change of another file's. Each thread is a browser of its own.
const Shared = globalThis.BroadcastChannel

globalThis.BroadcastChannel = class extends Shared {
  constructor(name: string) {
    super(`${name} of thread ${threadId}`)
  }
}
