import { purgeInvitations, workOnInvitationEmails } from './access/accounts/invitation-emails.ts'
import { purgeFailureCounts } from './access/brute-force/failure-counts.ts'
import { purgePendingSubjects, purgeSessions } from './access/sessions/purge-sessions.ts'
import { purgeResetLinks, workOnResetLinks } from './access/sign-in/password-reset-links.ts'
import { purgeRefreshTokens } from './access/tokens/refresh-tokens.ts'
import { purgeTaxLog } from './audit/purge-tax-log.ts'
import type { Deps } from './deps.ts'
import { purgeNotifiedWaitlist, workOnWaitlist } from './discovery/notify-waitlist.ts'
import { purgeUnusualSearches } from './discovery/record-unusual-searches.ts'
import { workOnCompositions } from './downloads/compose-downloads.ts'
import { removeOldForms } from './http/forms/multipart-form.ts'
import { purgeIdempotencyKeys } from './http/idempotency.ts'
import type { BuiltClient } from './http/pages/built-client.ts'
import { purgeOldBuilds } from './http/pages/previous-builds.ts'
import type { ChromaKey } from './images/engine/chroma-key.ts'
import type { Compose } from './images/engine/compose-image.ts'
import type { RenderVariants } from './images/engine/render-variants.ts'
import { workOnCutOuts } from './images/lookups/cut-outs.ts'
import { requeueStalledMatchRuns, workOnMatchRuns } from './images/lookups/rematch-images.ts'
import type { RenderPrint } from './images/print/print-here.ts'
import { workOnVariants } from './images/serving/make-variants.ts'
import { requeueStalledImages } from './images/serving/requeue-stalled-images.ts'
import { workOnUploads } from './images/uploads/process-upload.ts'
import { purgeUploads } from './images/uploads/purge-uploads.ts'
import { requeueStalledUploads } from './images/uploads/requeue-stalled-uploads.ts'
import { purgeImports, workOnImports } from './imports/import-worker.ts'
import { workOnFileRemoval } from './jobs/delete-job.ts'
import { workOnRefunds } from './orders/adjustments/settle-refunds.ts'
import { workOnDownloadNotices } from './orders/emails/notify-downloads-ready.ts'
import { workOnOrderEmails } from './orders/emails/order-emails.ts'
import { workOnImageChoiceRequests } from './orders/emails/request-image-choice.ts'
import { purgePaymentEvents } from './payments/attempts/payment-webhook.ts'
import { workOnPayments } from './payments/attempts/reconcile-payments.ts'
import { closeDueBatches } from './production/change-batch.ts'
import { workOnPackets } from './production/make-packet.ts'
import type { BackgroundJobs } from './queue/background-jobs.ts'
import type { queues } from './queue/queues.ts'
import { recheckHosts } from './studio/recheck-hosts.ts'
import { purgeBulkEdits } from './subjects/undo-bulk-edit.ts'

/** No form is still being read after a day. */
const dayMs = 24 * 60 * 60 * 1000

/** Purges expired data. Every step is idempotent. */
export const purgeExpiredData = async (deps: Deps, client: BuiltClient | undefined): Promise<void> => {
  await purgeIdempotencyKeys(deps)
  await purgeFailureCounts(deps)
  await purgeRefreshTokens(deps)
  await purgeResetLinks(deps)
  await purgeInvitations(deps)
  await purgeSessions(deps)
  await purgePendingSubjects(deps)
  await purgeUnusualSearches(deps)
  await purgePaymentEvents(deps)
  await purgeNotifiedWaitlist(deps)
  await purgeTaxLog(deps)
  await purgeBulkEdits(deps)
  await purgeImports(deps)
  await purgeUploads(deps)
  await removeOldForms(deps.settings.dataDir, new Date(deps.clock().getTime() - dayMs))
  if (client) await purgeOldBuilds(deps, client)
}

/** Starts every background worker: the table of contents of background jobs, as `app.ts` is of the routes. */
export const startWorkers = async (
  deps: Deps,
  jobs: BackgroundJobs<typeof queues>,
  {
    client,
    render,
    print,
    compose,
    keyGreen,
  }: {
    client: BuiltClient | undefined
    render: RenderVariants
    print: RenderPrint
    compose: Compose
    keyGreen: ChromaKey
  },
): Promise<void> => {
  await workOnUploads(jobs, deps)
  await workOnVariants(jobs, deps, render)
  await workOnCutOuts(jobs, deps, keyGreen)
  await workOnMatchRuns(jobs, deps)
  await jobs.work('requeue-stalled-images', 1, async () => {
    await requeueStalledUploads(deps)
    await requeueStalledImages(deps)
    await requeueStalledMatchRuns(deps)
  })
  await workOnPayments(jobs, deps)
  await workOnRefunds(jobs, deps)
  await workOnOrderEmails(jobs, deps)
  await workOnResetLinks(jobs, deps)
  await workOnInvitationEmails(jobs, deps)
  await workOnImageChoiceRequests(jobs, deps)
  await workOnDownloadNotices(jobs, deps)
  await workOnCompositions(jobs, deps, compose)
  await workOnPackets(jobs, deps, print)
  await workOnImports(jobs, deps)
  await jobs.work('close-batches', 1, () => closeDueBatches(deps))
  await workOnWaitlist(jobs, deps)
  await workOnFileRemoval(jobs, deps)
  await jobs.work('check-hosts', 1, () => recheckHosts(deps))
  await jobs.work('tidy', 1, () => purgeExpiredData(deps, client))
}
