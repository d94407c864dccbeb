import { vi } from 'vitest'

// Vitest's default timeout of one second is too short on a busy machine.
const { waitFor, waitUntil } = vi
const longTimeout = { timeout: 20_000 }
vi.waitFor = (check, options = longTimeout) => waitFor(check, options)
vi.waitUntil = (check, options = longTimeout) => waitUntil(check, options)
