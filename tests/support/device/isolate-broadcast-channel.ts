import { threadId } from 'node:worker_threads'

// Test files run in threads of one process, whose broadcast channels are shared: Dexie would reload a cart for each change in another
// file. The names of this class are separate for each thread.
const SharedChannel = globalThis.BroadcastChannel

globalThis.BroadcastChannel = class extends SharedChannel {
  constructor(name: string) {
    super(`${name} of thread ${threadId}`)
  }
}
