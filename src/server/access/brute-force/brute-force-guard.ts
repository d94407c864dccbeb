import type { Deps } from '#server/deps.ts'
import { networkOf } from '#server/http/client-address.ts'
import { hashOf } from '#server/http/hash.ts'
import type { Problem } from '#server/http/problem.ts'
import type { JobKey } from '../authorization/authorize.ts'
import type { Session } from '../sessions/sessions.ts'
import { countFailures, dayMinutes, type FailureCounter, recordFailure } from './failure-counts.ts'
import type { Pace, Release } from './keyed-semaphore.ts'
import {
  oneInATenth,
  oneInTwoSeconds,
  slowMilliseconds,
  tenPerSecond,
  tooManyWaiting,
  waitForTurn,
} from './throttle.ts'

/** One try at something that could be guessed. Each kind has counts of its own: wrong codes never slow a sign-in. */
export type GuessAttempt = {
  readonly kind:
    | 'code'
    | 'promotion'
    | 'hand-over'
    | 'order'
    | 'subject'
    | 'sign-in'
    | 'forgot-password'
    | 'setup'
    | 'invitation'
    | 'partner-account'
  readonly session?: Session | undefined
  /** What is guessed at: an order number, an e-mail address, an account. A code has none: it is the guess. */
  readonly targets?: readonly string[]
  /** As `addressOf` gives it. */
  readonly address: string
  /** Of a search for children. An address is counted for each job, and a grant exempts no session, because every code gives one. */
  readonly jobId?: number
  /** The grants that let a session go ahead where its address is past the limit: those of one job, or of any. None unless told. */
  readonly grant?: JobKey | 'any'
}

/** Tries that may fail at full speed; of one session, and at one target. */
const quickTries = 10
/** Tries at an account, within its hour, that do not wait behind those of other accounts at an address past its limit. */
const firstTries = 3
/** The six-hundredth failure is the second typo of the last of 300 parents in one hall. */
const quickFromAddress = 600
/** Look-ups of children from one address, of each sort, that are answered at once in ten minutes. */
export const maxQuickLookupsInJob = 300
/** Misses of one address in 24 hours, in one job, with codes or with promotions, after which there is one look-up in two seconds. */
export const maxMissesPerDay = 1_500

/** A look-up takes at least so long, hit or miss, so that its time tells nothing. */
const leastMilliseconds = 50

const oneByOne = { pace: { atOnce: 1 }, mostWaiting: 4 }
/** Passwords of one account are tried by several people at once when somebody guesses at it. */
const atTarget = { pace: { atOnce: 1 }, mostWaiting: 1_000 }
/** So many try at once from one address before they have been counted. */
const counting = { pace: { atOnce: 8 }, mostWaiting: 2_000 }

const addressKey = ({ kind, jobId, address }: GuessAttempt): string =>
  jobId === undefined ? `${kind} ${address}` : `${kind} ${jobId} ${address}`

/** Where misses of one address in one job are counted. */
export const missCounter = (jobId: number, address: string): FailureCounter => ({
  kind: 'address',
  key: addressKey({ kind: 'subject', jobId, address }),
})

/** The line in which all look-ups of one address in one job wait. */
export const lookupQueueKey = (jobId: number, address: string): string => `paced ${missCounter(jobId, address).key}`

type Counters = {
  readonly address: FailureCounter
  /** Of an address in an IPv6 network that guesses at a target; only decides who goes first there. */
  readonly network: FailureCounter[]
  readonly session: FailureCounter[]
  readonly targets: FailureCounter[]
}

const countersOf = (attempt: GuessAttempt): Counters => {
  const { kind, session, targets = [], address } = attempt
  const network = targets.length > 0 ? networkOf(address) : undefined
  return {
    address: { kind: 'address', key: addressKey(attempt) },
    network: network ? [{ kind: 'address', key: addressKey({ ...attempt, address: network }) }] : [],
    session: session ? [{ kind: 'session', key: `${kind} ${session.id}` }] : [],
    targets: targets.map((target) => ({ kind: 'target', key: hashOf(`${kind}:${target.toLowerCase()}`) })),
  }
}

const hasGrant = async ({ db, clock }: Deps, { session, grant: asked }: GuessAttempt): Promise<boolean> => {
  if (!session || asked === undefined) return false
  const grant = await db
    .selectFrom('session_grants')
    .select('grant_id')
    .where('session_id', '=', session.id)
    .$if(asked !== 'any', (grants) => {
      const { studioId, jobId } = asked as JobKey // the condition says so
      return grants.where('studio_id', '=', studioId).where('job_id', '=', jobId)
    })
    .where('revoked_at', 'is', null)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', clock())]))
    .limit(1)
    .executeTakeFirst()
  return grant !== undefined
}

/** Past the limit all are alike: then the newest goes first. */
export const failureRank = (failures = 0): number => Math.min(failures, quickTries)

type ThrottleState = {
  readonly isSlow: boolean
  readonly pace: Pace | undefined
  /** Of the session, or without one of the target: decides who goes first at a crowded address. */
  readonly failures: number
  /** The line that moves at this pace; undefined: the one of the address. */
  readonly line?: string
}

/** The pace of one address in one job, by its misses or new people of ten minutes and its misses of 24 hours; undefined: at once. */
export const lookupPace = (inTenMinutes: number, missesInDay: number): Pace | undefined => {
  if (missesInDay >= maxMissesPerDay) return oneInTwoSeconds
  return inTenMinutes >= maxQuickLookupsInJob ? tenPerSecond : undefined
}

/** Kinds for which a grant exempts no session from the limit of its address, because everybody who asks can get one. */
const pacedKinds: ReadonlySet<GuessAttempt['kind']> = new Set(['code', 'promotion'])

/**
 * How long an attempt has to wait. At codes and promotions past the limit of an address, sessions with a grant share ten tries a second,
 * or one in two seconds after `mostMissesInDay`; those with the fewest failures go first. Promotions are slowed for the whole day then,
 * codes only while their address is past its limit of ten minutes.
 */
const standingOf = async (deps: Deps, attempt: GuessAttempt): Promise<ThrottleState> => {
  const { address, session, targets } = countersOf(attempt)
  const [misses = 0, missesInDay = 0, ...others] = await countFailures(deps, [
    address,
    { ...address, minutes: dayMinutes },
    ...session,
    ...targets,
  ])
  const failures = failureRank(others[0])
  const isSlow = others.some((count) => count >= quickTries)
  if (attempt.jobId !== undefined) return { isSlow, failures, pace: lookupPace(misses, missesInDay) }
  const isPaced = pacedKinds.has(attempt.kind)
  const isPastDay = isPaced && missesInDay >= maxMissesPerDay
  // Who enters a code has no grant yet: families behind one address do not wait for what others guessed hours before.
  const isQuick = misses <= quickFromAddress && !(isPastDay && attempt.kind === 'promotion')
  if (isQuick) return { isSlow, failures, pace: undefined }
  // Somebody who signs in does not pay for those who guess at the passwords of others. An account is what its own failures protect.
  if (attempt.kind === 'sign-in' && failures < firstTries)
    return { isSlow, failures, pace: oneInATenth, line: `first tries ${addressKey(attempt)}` }
  if (!(await hasGrant(deps, attempt))) return { isSlow: true, failures, pace: oneInTwoSeconds }
  if (!isPaced) return { isSlow, failures, pace: undefined }
  const pace = isPastDay ? oneInTwoSeconds : tenPerSecond
  return { isSlow, failures, pace, line: `paced granted ${addressKey(attempt)}` }
}

type Work<Found> = () => Promise<Found | undefined>

/** Waits as long as a crowded address or a slow session has to; a problem when too many wait. */
const waitInTurn = async (
  deps: Deps,
  attempt: GuessAttempt,
  { isSlow, pace, failures, line = `paced ${addressKey(attempt)}` }: ThrottleState,
): Promise<Problem<'slow-down'> | undefined> => {
  const group = attempt.session ? 'sessions' : 'none'
  if (pace && !(await waitForTurn(deps, { line, pace, group, failures }))) return tooManyWaiting()
  if (isSlow) await deps.wait(slowMilliseconds)
  return undefined
}

/** Does the work, once it is this attempt's turn at its address. */
const tryInTurn = async <Found>(
  deps: Deps,
  attempt: GuessAttempt,
  work: Work<Found>,
): Promise<Found | undefined | Problem<'slow-down'>> => {
  const leave = await deps.semaphore.take(`counting ${addressKey(attempt)}`, counting)
  if (!leave) return tooManyWaiting()
  let standing: ThrottleState
  try {
    standing = await standingOf(deps, attempt)
    if (!standing.isSlow && !standing.pace) return await work()
  } finally {
    leave()
  }
  return (await waitInTurn(deps, attempt, standing)) ?? (await work())
}

/** Callers with the fewest failures go first at a target: sessions, or where there is none addresses and their networks. */
const failuresOfCaller = async (deps: Deps, { address, network, session, targets }: Counters): Promise<number> => {
  if (targets.length === 0) return 0
  const failures = await countFailures(deps, session.length > 0 ? session : [address, ...network])
  return failureRank(Math.max(...failures))
}

/** Attempts of one session, and those at one target, go one after the other: so each is counted before the next. */
const tryInLine = async <Found>(
  deps: Deps,
  attempt: GuessAttempt,
  work: Work<Found>,
): Promise<Found | undefined | Problem<'slow-down'>> => {
  const held: Release[] = []
  const counters = countersOf(attempt)
  const failures = await failuresOfCaller(deps, counters)
  // Sorted, so that two attempts with the same two targets do not each hold what the other waits for.
  const inOrder = [...counters.session, ...counters.targets].sort((one, other) => (one.key < other.key ? -1 : 1))
  try {
    for (const { kind, key } of inOrder) {
      const place = kind === 'target' ? { ...atTarget, failures } : oneByOne
      const leave = await deps.semaphore.take(`${kind} ${key}`, place)
      if (!leave) return tooManyWaiting()
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
export const bruteForceGuard = async <Found>(
  deps: Deps,
  attempt: GuessAttempt,
  work: Work<Found>,
): Promise<Found | undefined | Problem<'slow-down'>> => {
  const started = deps.clock().getTime()
  const { address, network, session, targets } = countersOf(attempt)
  const result = await tryInLine(deps, attempt, async () => {
    const found = await work()
    if (found === undefined) await recordFailure(deps, [address, ...network, ...session, ...targets])
    return found
  })
  const left = leastMilliseconds - (deps.clock().getTime() - started)
  if (left > 0) await deps.wait(left)
  return result
}
