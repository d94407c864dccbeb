import { vi } from 'vitest'

// Vitest's default timeout of one second is too short on a busy machine.
const { waitFor, waitUntil } = vi
const patience = { timeout: 20_000 }
vi.waitFor = (look, options = patience) => waitFor(look, options)
vi.waitUntil = (look, options = patience) => waitUntil(look, options)
