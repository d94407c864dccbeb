import type { Deps } from '../deps.ts'
import { addFailure, type Counted, countFailures } from './guess-counts.ts'
import { hashOf } from './hash.ts'
import type { Leave } from './lines.ts'
import { type Problem, problem } from './problem.ts'
import type { Session } from './sessions.ts'

/** One try at something that could be guessed. */
export type Attempt = {
  readonly kind:
    | 'code'
    | 'promotion'
    | 'hand-over'
    | 'order'
    | 'subject'
    | 'sign-in'
    | 'refresh'
    | 'forgot-password'
    | 'setup'
    | 'invitation'
    | 'partner-account'
  readonly session?: Session | undefined
  /** What is guessed at: an order number, an e-mail address, an account. A code has none: it is the guess. */
  readonly targets?: readonly string[]
  /** As `addressOf` gives it. */
  readonly address: string
}

/** Tries that may fail at full speed. The six-hundredth failure is the second typo of the last of 300 parents in one hall. */
const isSlow = {
  session: (failures: number) => failures >= 10,
  target: (failures: number) => failures >= 10,
  address: (failures: number) => failures > 600,
} as const

const slowMilliseconds = 2_000
/** A look-up takes at least so long, hit or miss, so that its time tells nothing. */
const leastMilliseconds = 50

const oneByOne = { atOnce: 1, mostWaiting: 4 }
/** So many try at once from one address before they have been counted. */
const counting = { atOnce: 32, mostWaiting: 2_000 }

const tooMany = (): Problem<'slow-down'> => problem('slow-down', undefined, { retryAfterSeconds: 8 })

const countedOf = ({ kind, session, targets = [], address }: Attempt): Counted[] => [
  { kind: 'address', key: address },
  ...(session ? [{ kind: 'session', key: String(session.id) } as const] : []),
  ...targets.map((target) => ({ kind: 'target', key: hashOf(`${kind}:${target.toLowerCase()}`) }) as const),
]

const hasGrant = async ({ db, clock }: Deps, session: Session | undefined): Promise<boolean> => {
  if (!session) return false
  const grant = await db
    .selectFrom('session_grants')
    .select('grant_id')
    .where('session_id', '=', session.id)
    .where('revoked_at', 'is', null)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', clock())]))
    .limit(1)
    .executeTakeFirst()
  return grant !== undefined
}

type Standing = 'free' | 'slow' | 'slow-address'

const standingOf = async (deps: Deps, { session }: Attempt, counted: readonly Counted[]): Promise<Standing> => {
  const failures = await countFailures(deps, counted)
  if (isSlow.address(failures.address) && !(await hasGrant(deps, session))) return 'slow-address'
  return isSlow.session(failures.session) || isSlow.target(failures.target) ? 'slow' : 'free'
}

/** Tries the work, once it is this attempt's turn at its address. */
const tryInTurn = async <Found>(
  deps: Deps,
  attempt: Attempt,
  work: () => Promise<Found | undefined>,
): Promise<Found | undefined | Problem<'slow-down'>> => {
  const counted = countedOf(attempt)
  const attemptIt = async (): Promise<Found | undefined> => {
    const found = await work()
    if (found === undefined) await addFailure(deps, counted)
    return found
  }
  const group = attempt.session ? String(attempt.session.id) : 'nobody'
  const leave = await deps.lines.take(`address ${attempt.address}`, { ...counting, group })
  if (!leave) return tooMany()
  let standing: Standing
  try {
    standing = await standingOf(deps, attempt, counted)
    if (standing === 'free') return await attemptIt()
  } finally {
    leave()
  }
  const leaveSlow =
    standing === 'slow' ? () => {} : await deps.lines.take(`slow ${attempt.address}`, { ...oneByOne, group })
  if (!leaveSlow) return tooMany()
  try {
    await deps.wait(slowMilliseconds)
    return await attemptIt()
  } finally {
    leaveSlow()
  }
}

/** Those of one session, and those at one target, go one after the other: so each is counted before the next. */
const tryInLine = async <Found>(
  deps: Deps,
  attempt: Attempt,
  work: () => Promise<Found | undefined>,
): Promise<Found | undefined | Problem<'slow-down'>> => {
  const held: Leave[] = []
  // Sorted, so that two attempts with the same two targets do not each hold what the other waits for.
  const doors = countedOf(attempt)
    .filter(({ kind }) => kind !== 'address')
    .map(({ kind, key }) => `${kind} ${key}`)
    .sort()
  try {
    for (const door of doors) {
      const leave = await deps.lines.take(door, { ...oneByOne, group: attempt.address })
      if (!leave) return tooMany()
      held.push(leave)
    }
    return await tryInTurn(deps, attempt, work)
  } finally {
    for (const leave of held.reverse()) leave()
  }
}

/**
 * Does a look-up that could be used to guess (section 4, guessing). `work` gives what it found, or undefined for "no such thing" and
 * "wrong secret" alike. Failures are counted; past a limit every try takes two seconds, one at a time, and nobody is ever locked
 * out. Gives what was found, undefined, or, when too many wait already, the problem to answer with. Not inside a transaction.
 */
export const guard = async <Found>(
  deps: Deps,
  attempt: Attempt,
  work: () => Promise<Found | undefined>,
): Promise<Found | undefined | Problem<'slow-down'>> => {
  const started = deps.clock().getTime()
  const result = await tryInLine(deps, attempt, work)
  const left = leastMilliseconds - (deps.clock().getTime() - started)
  if (left > 0) await deps.wait(left)
  return result
}
