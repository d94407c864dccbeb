import { vi } from 'vitest'

// What is waited for comes by itself; a busy machine takes longer for it than the second that Vitest gives.
const { waitFor, waitUntil } = vi
const patience = { timeout: 20_000 }
vi.waitFor = (look, options = patience) => waitFor(look, options)
vi.waitUntil = (look, options = patience) => waitUntil(look, options)
