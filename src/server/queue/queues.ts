import { carries, type Queues } from './queue.ts'

/** Every queue of the server. An errand with work to do later adds its line here, and its worker where the server starts. */
export const queues = {
  /** What customers see of an uploaded picture. */
  'make-variants': carries<{ studioId: number; imageId: number }>({ limit: 5 * 60, together: 2 }),
  /** Looks at a file that came whole: a picture, or refused. */
  'take-in-upload': carries<{ studioId: number; uploadId: number }>({ limit: 5 * 60 }),
  /** Looks again whose pictures those are that wait, some at a time; what is done is not done again. */
  'match-images': carries<{ studioId: number; runId: number }>({ retries: 20, limit: 30 * 60 }),
  /** Cuts somebody out from before a green screen, for staff to look at. */
  'propose-cut-out': carries<{ studioId: number; imageId: number }>({ limit: 5 * 60 }),
  /** Takes up files and pictures whose tries have all been had. */
  'take-up-pictures': carries<Record<string, never>>({ schedule: { cron: '37 * * * *', payload: {} } }),
  /** Asks what became of a payment until it is known; the tries go on for longer than a bank waits for its customer. */
  'settle-payment': carries<{ studioId: number; attemptId: string }>({ retries: 40, backOff: 15, limit: 60 }),
  /** Asks again for payments whose tries have all been had. */
  'take-up-payments': carries<Record<string, never>>({ schedule: { cron: '43 * * * *', payload: {} } }),
  /** Has money given back that is owed; banks may take a while to say whether they did. */
  'settle-refund': carries<{ studioId: number; refundRow: number }>({ retries: 40, backOff: 15, limit: 60 }),
  /** Asks again for refunds whose tries have all been had. */
  'take-up-refunds': carries<Record<string, never>>({ schedule: { cron: '41 * * * *', payload: {} } }),
  /** Looks whose pictures came out that were ordered as files. */
  'find-downloads-to-tell': carries<Record<string, never>>({ schedule: { cron: '*/5 * * * *', payload: {} } }),
  /** Puts the cut-outs of an order's downloads on their backgrounds. */
  'compose-downloads': carries<{ studioId: number; orderId: number }>({ retries: 10, limit: 30 * 60 }),
  'tell-cancelled': carries<{ studioId: number; orderId: number }>({ retries: 20, limit: 60 }),
  /** `movedCents` was charged for the change, or, below nothing, goes back. */
  'tell-changed': carries<{ studioId: number; orderId: number; changedAt: string; movedCents: number }>({
    retries: 20,
    limit: 60,
  }),
  'tell-not-added': carries<{ studioId: number; orderId: number; attemptId: string; amountCents: number }>({
    retries: 20,
    limit: 60,
  }),
  'tell-downloads': carries<{ studioId: number; orderId: number; madeAt: string }>({ retries: 20, limit: 60 }),
  'tell-shipped': carries<{ studioId: number; orderId: number }>({ retries: 20, limit: 60 }),
  /** `again` names a wish to have it once more. */
  'send-receipt': carries<{ studioId: number; orderId: number; again?: string }>({ retries: 20, limit: 60 }),
  /** Print files for the lab: an hour is for a school's whole batch. */
  'make-packet': carries<{ studioId: number; packetId: number }>({ retries: 20, limit: 60 * 60 }),
  /** People of a list, a few hundred at a time, made or taken back; what is done is not done again. */
  'work-on-import': carries<{ studioId: number; importId: number }>({ retries: 20, limit: 30 * 60 }),
  /** Looks which batches have had their time; each takes no more orders in. */
  'close-batches': carries<Record<string, never>>({ schedule: { cron: '*/5 * * * *', payload: {} } }),
  /** Looks which events have opened that somebody waits for; each who does is mailed. */
  'tell-opened': carries<Record<string, never>>({ schedule: { cron: '*/5 * * * *', payload: {} } }),
  'mail-opened': carries<{ studioId: number; wishId: number }>({ retries: 20, limit: 60 }),
  /** Looks whose pictures came out that an order waits for; each is asked to choose. */
  'find-poses-to-ask': carries<Record<string, never>>({ schedule: { cron: '*/5 * * * *', payload: {} } }),
  'ask-for-poses': carries<{ studioId: number; orderId: number; askedAt: string }>({ retries: 20, limit: 60 }),
  /** Files of what was taken away for good: all of each folder, and single ones. */
  'remove-files': carries<{ folders: string[]; keys: string[] }>({ retries: 20, limit: 30 * 60 }),
  /** `nonce` is what the link's secret is reckoned from. */
  'mail-password-reset': carries<{ resetId: number; nonce: string }>({ retries: 20, limit: 60 }),
  'mail-invitation': carries<{ invitationId: number; nonce: string }>({ retries: 20, limit: 60 }),
  /** Checks the host names of studios: waiting ones each hour, proved ones each day. */
  'check-hosts': carries<Record<string, never>>({ limit: 30 * 60, schedule: { cron: '29 * * * *', payload: {} } }),
  /** Once a night: forgets what has had its time. */
  tidy: carries<Record<string, never>>({ schedule: { cron: '17 3 * * *', payload: {} } }),
} as const satisfies Queues
