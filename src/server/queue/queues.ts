import { carries, type Queues } from './queue.ts'

/** All queues of the server. A feature with background work adds its queue here and its worker in `workers.ts`. */
export const queues = {
  /** Makes the variants of an uploaded image that customers see. */
  'make-variants': carries<{ studioId: number; imageId: number }>({ limit: 5 * 60, together: 2 }),
  /** Inspects a completely received file: makes an image of it, or rejects it. */
  'process-upload': carries<{ studioId: number; uploadId: number }>({ limit: 5 * 60 }),
  /** Matches waiting images to subjects again, in steps; resumes after an interruption. */
  'rematch-images': carries<{ studioId: number; runId: number }>({ retries: 20, limit: 30 * 60 }),
  /** Cuts out the subject in front of a green screen, for staff to review. */
  'propose-cut-out': carries<{ studioId: number; imageId: number }>({ limit: 5 * 60 }),
  /** Requeues files and images whose retries ran out. */
  'requeue-stalled-images': carries<Record<string, never>>({ schedule: { cron: '37 * * * *', payload: {} } }),
  /**
   * Asks the provider about a payment until its outcome is known; the retries outlast the customer's time for
   * authentication.
   */
  'reconcile-payment': carries<{ studioId: number; attemptId: string }>({ retries: 40, backOff: 15, limit: 60 }),
  /** Requeues payments whose retries ran out. */
  'requeue-stalled-payments': carries<Record<string, never>>({ schedule: { cron: '43 * * * *', payload: {} } }),
  /** Makes a refund; banks may take a while to confirm it. */
  'settle-refund': carries<{ studioId: number; refundRow: number }>({ retries: 40, backOff: 15, limit: 60 }),
  /** Requeues refunds whose retries ran out. */
  'requeue-stalled-refunds': carries<Record<string, never>>({ schedule: { cron: '41 * * * *', payload: {} } }),
  /** Finds digital orders whose images are visible now. */
  'enqueue-download-notices': carries<Record<string, never>>({ schedule: { cron: '*/5 * * * *', payload: {} } }),
  /** Puts the cut-outs of an order's downloads on their backgrounds. */
  'compose-downloads': carries<{ studioId: number; orderId: number }>({ retries: 10, limit: 30 * 60 }),
  'send-cancelled-email': carries<{ studioId: number; orderId: number }>({ retries: 20, limit: 60 }),
  /** `movedCents` was charged for the change if positive, refunded if negative. */
  'send-changed-email': carries<{ studioId: number; orderId: number; changedAt: string; movedCents: number }>({
    retries: 20,
    limit: 60,
  }),
  'send-not-added-email': carries<{ studioId: number; orderId: number; attemptId: string; amountCents: number }>({
    retries: 20,
    limit: 60,
  }),
  'send-downloads-email': carries<{ studioId: number; orderId: number; madeAt: string }>({ retries: 20, limit: 60 }),
  'send-shipped-email': carries<{ studioId: number; orderId: number }>({ retries: 20, limit: 60 }),
  /** `again` identifies a request to resend it. */
  'send-receipt': carries<{ studioId: number; orderId: number; again?: string }>({ retries: 20, limit: 60 }),
  /** Renders print files for the lab; the hour is for the batch of a whole school. */
  'make-packet': carries<{ studioId: number; packetId: number }>({ retries: 20, limit: 60 * 60 }),
  /** Runs or undoes an import, a few hundred subjects at a time; resumes after an interruption. */
  'run-import': carries<{ studioId: number; importId: number }>({ retries: 20, limit: 30 * 60 }),
  /** Closes batches whose closing time has passed. */
  'close-batches': carries<Record<string, never>>({ schedule: { cron: '*/5 * * * *', payload: {} } }),
  /** Finds opened jobs that have a waitlist, and enqueues an email for each entry. */
  'enqueue-waitlist-emails': carries<Record<string, never>>({ schedule: { cron: '*/5 * * * *', payload: {} } }),
  'send-waitlist-email': carries<{ studioId: number; wishId: number }>({ retries: 20, limit: 60 }),
  /** Finds orders whose images can be chosen now, and enqueues a request for each. */
  'enqueue-image-choice-requests': carries<Record<string, never>>({ schedule: { cron: '*/5 * * * *', payload: {} } }),
  'request-image-choice': carries<{ studioId: number; orderId: number; askedAt: string }>({ retries: 20, limit: 60 }),
  /** Removes the files of deleted data: whole folders and single files. */
  'remove-files': carries<{ folders: string[]; keys: string[] }>({ retries: 20, limit: 30 * 60 }),
  /** `nonce` derives the secret of the link. */
  'mail-password-reset': carries<{ resetId: number; nonce: string }>({ retries: 20, limit: 60 }),
  'mail-invitation': carries<{ invitationId: number; nonce: string }>({ retries: 20, limit: 60 }),
  /** Checks the host names of studios: pending ones each hour, verified ones each day. */
  'check-hosts': carries<Record<string, never>>({ limit: 30 * 60, schedule: { cron: '29 * * * *', payload: {} } }),
  /** Purges expired data once a night. */
  tidy: carries<Record<string, never>>({ schedule: { cron: '17 3 * * *', payload: {} } }),
} as const satisfies Queues
