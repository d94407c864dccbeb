import { threadId } from 'node:worker_threads'

// Test files run in threads of one process, and all threads receive what one broadcasts: Dexie would reload a cart for each change in
// another file. This makes each thread a browser of its own.
const Shared = globalThis.BroadcastChannel

globalThis.BroadcastChannel = class extends Shared {
  constructor(name: string) {
    super(`${name} of thread ${threadId}`)
  }
}
