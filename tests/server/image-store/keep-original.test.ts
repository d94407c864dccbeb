import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { maxUploadBytes } from '#domain/shared/upload-size.ts'
import { inspectHeader } from '#server/images/inspection/inspect-image.ts'
import { storeOriginal } from '#server/images/store/image-files.ts'
import type { Files } from '#server/ports/files.ts'
import { jpegAt } from '../discovery/job-fixtures.ts'

it('a file of the most bytes is hashed in pieces: everything else has its turn between them', async () => {
  const small = await jpegAt(1)
  const inspection = await inspectHeader(small)
  if (!inspection.ok) throw new Error(inspection.refusal.message)
  const bytes = Buffer.concat([small, Buffer.alloc(maxUploadBytes - small.length, 7)])
  // Its own waits for the disk are none of the turns that are counted.
  const files = { put: async () => ({ size: bytes.length }) } as Partial<Files> as Files // all that it calls
  let isDone = false
  const keeping = storeOriginal(files, { folder: 'a', bytes, image: inspection.image }).finally(() => {
    isDone = true
  })
  let turns = 0
  while (!isDone) {
    await turn()
    turns += 1
  }
  expect((await keeping).contentHash).toBe(createHash('sha256').update(bytes).digest('hex'))
  expect(turns).toBeGreaterThan(50)
})
