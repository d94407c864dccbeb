import { describe, expect, it } from 'vitest'
import { DatabaseUnavailable } from '#server/database/embedded/data-folder.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { silentLog } from '#support/database/test-database.ts'

describe('opening a database whose server does not respond', () => {
  it('fails with one line, without the password', async () => {
    // Port 1 is never in use.
    const opening = openDatabase({
      dataDir: '',
      databaseUrl: 'postgres://nobody:secret@127.0.0.1:1/none',
      log: silentLog,
    })
    await expect(opening).rejects.toThrow(DatabaseUnavailable)
    await expect(opening).rejects.toThrow(/^The database of DATABASE_URL does not answer: [^\n]+$/)
    await expect(opening).rejects.not.toThrow(/secret/)
  })
})
