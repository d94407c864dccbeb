import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  Charge,
  ChargeOutcome,
  Payment,
  ProviderAttempt,
  Refund,
  RefundOutcome,
} from '../port/payment-provider.ts'
import { declined, notConfirmed, notFinished } from './card-declines.ts'

type Entry = { outcome: ChargeOutcome; amountCents: number; currency: string }
type Step = 1 | 2 | `refund.${number}`
type RefundEntry = { refundId: string; amountCents: number }

/** What each token comes to, like the card numbers of Stripe's test mode. */
const fates = new Map<string, (reference: string) => ChargeOutcome>(
  Object.entries({
    test_visa: (reference) => ({ state: 'succeeded', reference, cardEnding: '4242' }),
    test_declined: () => declined('card_declined'),
    test_insufficient: () => declined('insufficient_funds'),
    test_authenticate: (reference) => ({ state: 'requires-action', reference, clientSecret: null }),
  }),
)

const fateOf = ({ paymentToken, attemptId }: Charge): ChargeOutcome =>
  fates.get(paymentToken)?.(`test_${attemptId}`) ??
  declined('unknown_token', null, 'This card is not known. Please try another card')

const afterBank = ({ attemptId, authentication }: Charge): ChargeOutcome =>
  authentication === 'confirmed'
    ? { state: 'succeeded', reference: `test_${attemptId}`, cardEnding: '3155' }
    : notConfirmed()

const isFinal = (outcome: ChargeOutcome): outcome is ChargeOutcome & { state: 'succeeded' | 'declined' } =>
  outcome.state !== 'requires-action'

/** A new name survives a power cut only once its folder is written too. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** An id becomes a file's name. */
const assertId = (attemptId: string): void => {
  if (!/^[0-9a-f-]{36}$/.test(attemptId)) throw new Error('an attempt is named by a UUID')
}

/**
 * The built-in provider: no money, but a provider's promises. It keeps its own record in a folder, outside of the database, as a
 * real one does: each attempt has at most two entries (`….1`, and `….2` after the bank), each made once or not at all, and one for each
 * refund (`….refund.1` and so on).
 */
export const testPayment = ({ folder, newId }: { folder: string; newId: () => string }): Payment => {
  const pathOf = (attemptId: string, step: Step): string => join(folder, `${attemptId}.${step}`)

  const read = async <Kept = Entry>(attemptId: string, step: Step): Promise<Kept | undefined> => {
    assertId(attemptId)
    const text = await readFile(pathOf(attemptId, step), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    return text === undefined ? undefined : JSON.parse(text)
  }

  /** Writes an entry that is there whole or not at all, even after a power cut. Whoever comes second gets the first one's. */
  const writeOnce = async <Kept = Entry>(attemptId: string, step: Step, entry: Kept): Promise<Kept> => {
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
      return (await read<Kept>(attemptId, step)) ?? entry
    } finally {
      await unlink(draft)
    }
  }

  const latest = async ({ attemptId }: Pick<ProviderAttempt, 'attemptId'>): Promise<ChargeOutcome | undefined> =>
    ((await read(attemptId, 2)) ?? (await read(attemptId, 1)))?.outcome

  /** Each refund is the next entry of its charge; whoever finds the place taken looks whether it is theirs, and goes on to the next. */
  const refund = async ({ refundId, reference, amountCents }: Refund): Promise<RefundOutcome> => {
    const attemptId = /^test_([0-9a-f-]{36})$/.exec(reference)?.[1]
    if (attemptId === undefined) return { state: 'failed', message: 'There is no such charge' }
    const charge = (await read(attemptId, 2)) ?? (await read(attemptId, 1))
    if (charge?.outcome.state !== 'succeeded') return { state: 'failed', message: 'There is no such charge' }
    const done: RefundOutcome = { state: 'done', reference: `test_${refundId}` }
    let left = charge.amountCents
    for (let place = 1; ; place += 1) {
      const step = `refund.${place}` as const
      const there = await read<RefundEntry>(attemptId, step)
      const fits = amountCents <= left
      if (!there && !fits) return { state: 'failed', message: 'This is more than is left of the charge' }
      const entry = there ?? (await writeOnce<RefundEntry>(attemptId, step, { refundId, amountCents }))
      if (entry.refundId === refundId) return done
      left -= entry.amountCents
    }
  }

  return {
    name: 'test',
    publishableKey: null,
    charge: async (charge) => {
      const { attemptId, amountCents, currency } = charge
      const money = { amountCents, currency }
      const first = await writeOnce(attemptId, 1, { outcome: fateOf(charge), ...money })
      if (first.outcome.state === 'succeeded' && first.amountCents !== amountCents)
        throw new Error('the same attempt was asked for another amount')
      if (first.outcome.state !== 'requires-action') return first.outcome
      if (charge.authentication === undefined) return (await latest(charge)) ?? first.outcome
      return (await writeOnce(attemptId, 2, { outcome: afterBank(charge), ...money })).outcome
    },
    find: latest,
    refund,
    close: async ({ attemptId }) => {
      const nothing = { outcome: notFinished(), amountCents: 0, currency: 'usd' }
      const first = await writeOnce(attemptId, 1, nothing)
      const { outcome } = isFinal(first.outcome) ? first : await writeOnce(attemptId, 2, nothing)
      if (!isFinal(outcome)) throw new Error('the bank’s answer is always final')
      return outcome
    },
  }
}
