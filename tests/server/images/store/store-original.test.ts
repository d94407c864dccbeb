import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { maxUploadBytes } from '#domain/shared/file-size.ts'
import { inspectHeader } from '#server/images/inspection/inspect-image.ts'
import { storeOriginal } from '#server/images/store/image-files.ts'
import type { Files } from '#server/ports/files.ts'
import { jpegAt } from '../../discovery/job-fixtures.ts'

it('a file of the maximum size is hashed in pieces, so that other work runs in between', async () => {
  const small = await jpegAt(1)
  const inspection = await inspectHeader(small)
  if (!inspection.ok) throw new Error(inspection.refusal.message)
  const bytes = Buffer.concat([small, Buffer.alloc(maxUploadBytes - small.length, 7)])
  // This store does not wait for a disk, so that only the turns during hashing are counted.
  const files = { put: async () => ({ size: bytes.length }) } as Partial<Files> as Files // the only method that is called
  let isDone = false
  const storing = storeOriginal(files, { folder: 'a', bytes, image: inspection.image }).finally(() => {
    isDone = true
  })
  let turnCount = 0
  while (!isDone) {
    await turn()
    turnCount += 1
  }
  expect((await storing).contentHash).toBe(createHash('sha256').update(bytes).digest('hex'))
  expect(turnCount).toBeGreaterThan(50)
})
