import { link, mkdir, open, readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChargeOutcome } from '../port/payment-provider.ts'

/** The outcome of one step of an attempt, as it is stored; `at`: when it was stored. */
export type ChargeEntry = {
  outcome: ChargeOutcome
  amountCents: number
  currency: string
  account: string | null
  platformFeeCents: number
  at: string
}
type Step = 1 | 2 | `refund.${number}`
export type RefundEntry = {
  refundId: string
  amountCents: number
  account: string | null
  platformFeeCents: number
  at: string
}

/** A new file name survives a power cut only once its folder is synced. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Asserts that an id is a UUID, because it becomes a file name. */
const assertId = (attemptId: string): void => {
  if (!/^[0-9a-f-]{36}$/.test(attemptId)) throw new Error('an attempt is named by a UUID')
}

/**
 * The record of the built-in provider: a folder of entries outside the database, each written exactly once. An attempt has at most two
 * entries (`….1`, and `….2` after authentication), and one entry for each refund (`….refund.1` and so on).
 */
export const createPaymentRecord = ({ folder, newId }: { folder: string; newId: () => string }) => {
  const pathOf = (attemptId: string, step: Step): string => join(folder, `${attemptId}.${step}`)

  const read = async <Stored = ChargeEntry>(attemptId: string, step: Step): Promise<Stored | undefined> => {
    assertId(attemptId)
    const text = await readFile(pathOf(attemptId, step), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    return text === undefined ? undefined : JSON.parse(text)
  }

  /** Writes an entry atomically, even on a power cut. If it exists already, returns the existing entry. */
  const writeOnce = async <Stored = ChargeEntry>(attemptId: string, step: Step, entry: Stored): Promise<Stored> => {
    assertId(attemptId)
    await mkdir(folder, { recursive: true })
    const draft = join(folder, `${newId()}.draft`)
    const file = await open(draft, 'wx')
    await file.writeFile(JSON.stringify(entry))
    await file.sync()
    await file.close()
    try {
      await link(draft, pathOf(attemptId, step))
      await syncFolder(folder)
      return entry
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      return (await read<Stored>(attemptId, step)) ?? entry
    } finally {
      await unlink(draft)
    }
  }

  /** Reads all entries of charges and of refunds. */
  const readAll = async (): Promise<{ charges: ChargeEntry[]; refunds: RefundEntry[] }> => {
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    const readEntries = async <Stored>(pattern: RegExp): Promise<Stored[]> => {
      const entries: Stored[] = []
      for (const name of names.filter((candidate) => pattern.test(candidate)))
        entries.push(JSON.parse(await readFile(join(folder, name), 'utf8')))
      return entries
    }
    return {
      charges: await readEntries<ChargeEntry>(/^[0-9a-f-]{36}\.[12]$/),
      refunds: await readEntries<RefundEntry>(/^[0-9a-f-]{36}\.refund\.\d+$/),
    }
  }

  return { read, writeOnce, readAll }
}
