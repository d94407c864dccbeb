import type { ReminderOccasion } from '#domain/reminders/due-reminder.ts'
import type { SecurityChange } from '#domain/studio/two-factor.ts'
import { defineQueue, type Queues } from './queue.ts'

/** What an administrator decided about a studio. */
export type StudioDecision =
  | 'verified'
  | 'refused'
  | 'disabled'
  | 'enabled'
  | 'transferred'
  | 'deletion-scheduled'
  | 'deletion-cancelled'

/** What the owners of a studio are emailed about it. `user-…`: an administrator changed or removed one of its users. */
export type StudioNews =
  | StudioDecision
  | 'owner-replaced'
  | 'user-changed'
  | 'user-removed'
  | 'deleting'
  | 'export-ready'

/** `reason` may be empty. */
type StudioEmail = {
  readonly studioId: number
  readonly news: StudioNews
  readonly reason: string
  readonly at: string
  /** What an administrator did to a user, and who owned the studio before: they get the email instead of its owners. */
  readonly change?: { readonly userId: number; readonly administratorId: number; readonly formerOwnerIds: number[] }
}

/** All queues of the server. A feature with background work adds its queue here and its worker in `workers.ts`. */
export const queues = {
  /** Renders the variants of an uploaded image: thumbnail, preview and the like. */
  'make-variants': defineQueue<{ studioId: number; imageId: number }>({ timeoutSeconds: 5 * 60, batchSize: 2 }),
  /** Finds the studios (or the one) with previews whose watermark has changed, and starts a run for each. */
  'start-preview-runs': defineQueue<{ studioId: number | null }>({ retries: 20 }),
  /** Makes previews of a studio again, some hundred at a time; resumes after an interruption. */
  'remake-previews': defineQueue<{ studioId: number }>({ retries: 20, timeoutSeconds: 30 * 60 }),
  /** Inspects a completely received file, and adds it as an image or rejects it. */
  'process-upload': defineQueue<{ studioId: number; uploadId: number }>({ timeoutSeconds: 5 * 60 }),
  /** Matches the unmatched images of a job to its subjects again, in batches; resumes after an interruption. */
  'rematch-images': defineQueue<{ studioId: number; runId: number }>({ retries: 20, timeoutSeconds: 30 * 60 }),
  /** Cuts out the subject in front of a green screen, for staff to review. */
  'propose-cut-out': defineQueue<{ studioId: number; imageId: number }>({ timeoutSeconds: 5 * 60 }),
  /** Enqueues the background jobs that waited while their studio was paused. */
  'requeue-parked-jobs': defineQueue<Record<string, never>>({ retries: 20, timeoutSeconds: 30 * 60 }),
  /** Requeues uploads, images, and runs over images that have made no progress for two hours. */
  'requeue-stalled-image-work': defineQueue<Record<string, never>>({ schedule: { cron: '37 * * * *', payload: {} } }),
  /**
   * Queries the provider about a payment until its outcome is known. The retries last longer than the time in which the
   * customer can authenticate.
   */
  'reconcile-payment': defineQueue<{ studioId: number; attemptId: string }>({
    retries: 40,
    retryDelaySeconds: 15,
    timeoutSeconds: 60,
  }),
  /** Requeues payments that have been open for a day. */
  'requeue-stalled-payments': defineQueue<Record<string, never>>({ schedule: { cron: '43 * * * *', payload: {} } }),
  /** Requests a refund, and retries until the provider confirms it. */
  'settle-refund': defineQueue<{ studioId: number; refundLedgerId: number }>({
    retries: 40,
    retryDelaySeconds: 15,
    timeoutSeconds: 60,
  }),
  /** Requeues refunds that have been pending for a day. */
  'requeue-stalled-refunds': defineQueue<Record<string, never>>({ schedule: { cron: '41 * * * *', payload: {} } }),
  /** Reads the provider's books of an account: entries, payouts, and what each payout pays out; resumes after an interruption. */
  'pull-statement': defineQueue<{ studioId: number; account: string }>({ retries: 10, timeoutSeconds: 15 * 60 }),
  /** Enqueues a pull of each account once a night. */
  'enqueue-statement-pulls': defineQueue<Record<string, never>>({ schedule: { cron: '23 4 * * *', payload: {} } }),
  /** Finds orders with downloads whose images are visible now, and enqueues an email for each. */
  'enqueue-download-emails': defineQueue<Record<string, never>>({ schedule: { cron: '*/5 * * * *', payload: {} } }),
  /** Composes the cut-outs of an order's downloads with their backgrounds. */
  'compose-downloads': defineQueue<{ studioId: number; orderId: number }>({ retries: 10, timeoutSeconds: 30 * 60 }),
  'send-cancelled-email': defineQueue<{ studioId: number; orderId: number }>({ retries: 20, timeoutSeconds: 60 }),
  /** `chargedOrRefundedCents` is the amount that the change charged if positive, or refunded if negative. */
  'send-changed-email': defineQueue<{
    studioId: number
    orderId: number
    changedAt: string
    chargedOrRefundedCents: number
  }>({
    retries: 20,
    timeoutSeconds: 60,
  }),
  /** For a payment that arrived too late to increase its order; it is refunded. */
  'send-increase-failed-email': defineQueue<{
    studioId: number
    orderId: number
    attemptId: string
    amountCents: number
  }>({
    retries: 20,
    timeoutSeconds: 60,
  }),
  'send-download-email': defineQueue<{ studioId: number; orderId: number; madeAt: string }>({
    retries: 20,
    timeoutSeconds: 60,
  }),
  'send-shipped-email': defineQueue<{ studioId: number; orderId: number }>({ retries: 20, timeoutSeconds: 60 }),
  /** `resendId` identifies a request to resend the receipt. */
  'send-receipt': defineQueue<{ studioId: number; orderId: number; resendId?: string }>({
    retries: 20,
    timeoutSeconds: 60,
  }),
  /** Renders print files for the lab. The batch of a whole school takes up to an hour. */
  'make-packet': defineQueue<{ studioId: number; packetId: number }>({ retries: 20, timeoutSeconds: 60 * 60 }),
  /** Crops the images of an export; resumes after an interruption. */
  'make-image-export': defineQueue<{ studioId: number; exportId: number }>({ retries: 20, timeoutSeconds: 60 * 60 }),
  /** Makes the file of a report. A failure is shown to staff, so that only an interruption repeats it. */
  'make-report-file': defineQueue<{ reportFileId: number }>({ retries: 5, timeoutSeconds: 15 * 60 }),
  /** Runs or undoes an import, up to 200 rows at a time; resumes after an interruption. */
  'run-import': defineQueue<{ studioId: number; importId: number }>({ retries: 20, timeoutSeconds: 30 * 60 }),
  /** Updates the planner's statistics after bulk work. */
  'analyze-tables': defineQueue<{ data: ('subjects' | 'imports')[] }>({ timeoutSeconds: 5 * 60 }),
  /** Updates the planner's statistics of tables that have changed much. */
  'analyze-stale-tables': defineQueue<Record<string, never>>({
    timeoutSeconds: 5 * 60,
    schedule: { cron: '* * * * *', payload: {} },
  }),
  /** Closes batches whose closing time has passed. */
  'close-batches': defineQueue<Record<string, never>>({ schedule: { cron: '*/5 * * * *', payload: {} } }),
  /** Adds up the rows that `job_changes`, `job_counts` and `ledger_days` have per transaction. */
  'merge-job-rows': defineQueue<Record<string, never>>({ schedule: { cron: '* * * * *', payload: {} } }),
  /** Counts what was ordered of each package, for "Most popular". */
  'count-sold-packages': defineQueue<Record<string, never>>({ schedule: { cron: '7 5 * * *', payload: {} } }),
  /** Writes the commissions of payments and refunds that have been settled. */
  'accrue-commissions': defineQueue<Record<string, never>>({ schedule: { cron: '11 * * * *', payload: {} } }),
  /** Adds new entries of the audit log to its chain. */
  'seal-audit-log': defineQueue<Record<string, never>>({ schedule: { cron: '* * * * *', payload: {} } }),
  /** Finds saved reports that are due, and enqueues an email for each. */
  'enqueue-report-emails': defineQueue<Record<string, never>>({ schedule: { cron: '2 * * * *', payload: {} } }),
  /** `from` and `to` are the days that the report is about. */
  'send-report-email': defineQueue<{
    studioId: number
    savedReportId: number
    dueAt: string
    from: string
    to: string
  }>({
    retries: 20,
    timeoutSeconds: 60,
  }),
  /** Finds opened jobs that have a waitlist, and enqueues an email for each entry. */
  'enqueue-waitlist-emails': defineQueue<Record<string, never>>({ schedule: { cron: '*/5 * * * *', payload: {} } }),
  'send-waitlist-email': defineQueue<{ studioId: number; waitlistEntryId: number }>({
    retries: 20,
    timeoutSeconds: 60,
  }),
  /** Finds orders whose images can be chosen now, and enqueues an email for each that asks the customer to choose. */
  'enqueue-image-choice-requests': defineQueue<Record<string, never>>({
    schedule: { cron: '*/5 * * * *', payload: {} },
  }),
  'request-image-choice': defineQueue<{ studioId: number; orderId: number; askedAt: string }>({
    retries: 20,
    timeoutSeconds: 60,
  }),
  'send-yearbook-reminder': defineQueue<{ studioId: number; jobId: number; orderId: number; remindedAt: string }>({
    retries: 20,
    timeoutSeconds: 60,
  }),
  /** Finds opt-ins that are due for a reminder, and enqueues an email for each. */
  'enqueue-reminders': defineQueue<Record<string, never>>({ schedule: { cron: '*/10 * * * *', payload: {} } }),
  'send-reminder': defineQueue<{ studioId: number; reminderId: number; occasion: ReminderOccasion }>({
    retries: 20,
    timeoutSeconds: 60,
  }),
  /** Removes the files of deleted data: whole folders and single files. */
  'remove-files': defineQueue<{ folders: string[]; keys: string[] }>({ retries: 20, timeoutSeconds: 30 * 60 }),
  /** The secret of the link is derived from `nonce`. */
  'send-password-reset-email': defineQueue<{ resetId: number; nonce: string }>({ retries: 20, timeoutSeconds: 60 }),
  'send-invitation-email': defineQueue<{ invitationId: number; nonce: string }>({ retries: 20, timeoutSeconds: 60 }),
  /** Notifies a user of a change to their two-factor sign-in. The names are in the audit entry, since jobs are stored longer than their work takes. */
  'send-security-email': defineQueue<{
    studioId: number | null
    userId: number
    change: SecurityChange
    auditId: number
  }>({
    retries: 20,
    timeoutSeconds: 60,
  }),
  /** Tells the owners of a studio what an administrator decided. */
  'send-studio-email': defineQueue<StudioEmail>({
    retries: 20,
    timeoutSeconds: 60,
  }),
  /** Starts the deletion of the studios whose grace period is over. */
  'enqueue-studio-deletions': defineQueue<Record<string, never>>({ schedule: { cron: '53 * * * *', payload: {} } }),
  /** Deletes everything of a studio; resumes after an interruption. */
  'delete-studio': defineQueue<{ studioId: number }>({ retries: 20, timeoutSeconds: 60 * 60 }),
  /** Writes the files of an export of everything that a studio stores. */
  'make-studio-export': defineQueue<{ studioId: number; folder: string }>({ retries: 5, timeoutSeconds: 60 * 60 }),
  /** Tells the owners of a studio that an administrator asks for access, or has it by a reason. */
  'send-support-email': defineQueue<{ studioId: number; accessId: number; news: 'asked' | 'opened' }>({
    retries: 20,
    timeoutSeconds: 60,
  }),
  /** Starts the deliveries of a webhook that are due. */
  'start-webhook-deliveries': defineQueue<{ studioId: number; webhookId: number }>({ retries: 20, timeoutSeconds: 60 }),
  /** One attempt to deliver an event. A receiver that fails is retried by a new job with its own delay. */
  'deliver-webhook': defineQueue<{ studioId: number; deliveryId: number }>({ timeoutSeconds: 60 }),
  /** Requeues deliveries that were interrupted. */
  'requeue-stalled-webhooks': defineQueue<Record<string, never>>({ schedule: { cron: '* * * * *', payload: {} } }),
  /** Tells the owners of a studio that a webhook was disabled. */
  'send-webhook-email': defineQueue<{ studioId: number; webhookId: number; at: string }>({
    retries: 20,
    timeoutSeconds: 60,
  }),
  /** Checks the host names of studios: pending ones each hour, verified ones each day. */
  'check-hosts': defineQueue<Record<string, never>>({
    timeoutSeconds: 30 * 60,
    schedule: { cron: '29 * * * *', payload: {} },
  }),
  /** Purges expired data once a night. */
  'purge-expired-data': defineQueue<Record<string, never>>({ schedule: { cron: '17 3 * * *', payload: {} } }),
} as const satisfies Queues
