import { purgeInvitations, workOnInvitations } from './access/accounts/invitation-emails.ts'
import { purgeGuessCounts } from './access/brute-force/failure-counts.ts'
import { purgePending, purgeSessions } from './access/sessions/purge-sessions.ts'
import { purgeResetLinks, workOnResetLinks } from './access/sign-in/password-reset-links.ts'
import { purgeRefreshTokens } from './access/tokens/refresh-tokens.ts'
import { forgetTaxLog } from './audit/purge-tax-log.ts'
import type { Deps } from './deps.ts'
import { forgetTold, workOnOpened } from './discovery/notify-waitlist.ts'
import { purgeUnusualSearches } from './discovery/record-unusual-searches.ts'
import { workOnCompositions } from './downloads/compose-downloads.ts'
import { removeOldForms } from './http/forms/multipart-form.ts'
import { purgeIdempotencyKeys } from './http/idempotency.ts'
import type { BuiltClient } from './http/pages/built-client.ts'
import { forgetOldBuilds } from './http/pages/previous-builds.ts'
import type { KeyGreen } from './images/engine/chroma-key.ts'
import type { Compose } from './images/engine/compose-image.ts'
import type { Render } from './images/engine/render-variants.ts'
import { workOnCutOuts } from './images/lookups/cut-outs.ts'
import { takeUpMatches, workOnMatches } from './images/lookups/rematch-images.ts'
import type { PrintHere } from './images/print/print-here.ts'
import { workOnPictures } from './images/serving/make-variants.ts'
import { takeUpPictures } from './images/serving/requeue-stalled-images.ts'
import { workOnUploads } from './images/uploads/process-upload.ts'
import { forgetUploads } from './images/uploads/purge-uploads.ts'
import { takeUpUploads } from './images/uploads/requeue-stalled-uploads.ts'
import { forgetImports, workOnImports } from './imports/import-worker.ts'
import { workOnRemovedFiles } from './jobs/delete-job.ts'
import { workOnRefunds } from './orders/adjustments/settle-refunds.ts'
import { workOnDownloads } from './orders/emails/notify-downloads-ready.ts'
import { workOnMails } from './orders/emails/order-emails.ts'
import { workOnPoses } from './orders/emails/request-image-choice.ts'
import { purgePaymentEvents } from './payments/attempts/payment-webhook.ts'
import { workOnPayments } from './payments/attempts/reconcile-payments.ts'
import { closeDueBatches } from './production/change-batch.ts'
import { workOnPackets } from './production/make-packet.ts'
import type { Jobs } from './queue/background-jobs.ts'
import type { queues } from './queue/queues.ts'
import { recheckHosts } from './studio/recheck-hosts.ts'
import { forgetEdits } from './subjects/undo-bulk-edit.ts'

/** No form is read for so long. */
const dayMilliseconds = 24 * 60 * 60 * 1000

/** Forgets what has had its time; each bears being done again. */
export const tidy = async (deps: Deps, client: BuiltClient | undefined): Promise<void> => {
  await purgeIdempotencyKeys(deps)
  await purgeGuessCounts(deps)
  await purgeRefreshTokens(deps)
  await purgeResetLinks(deps)
  await purgeInvitations(deps)
  await purgeSessions(deps)
  await purgePending(deps)
  await purgeUnusualSearches(deps)
  await purgePaymentEvents(deps)
  await forgetTold(deps)
  await forgetTaxLog(deps)
  await forgetEdits(deps)
  await forgetImports(deps)
  await forgetUploads(deps)
  await removeOldForms(deps.settings.dataDir, new Date(deps.clock().getTime() - dayMilliseconds))
  if (client) await forgetOldBuilds(deps, client)
}

/** Everybody who takes jobs off a queue: the background's table of contents, as `app.ts` is the surface's. */
export const startWorkers = async (
  deps: Deps,
  jobs: Jobs<typeof queues>,
  {
    client,
    render,
    print,
    compose,
    keyGreen,
  }: { client: BuiltClient | undefined; render: Render; print: PrintHere; compose: Compose; keyGreen: KeyGreen },
): Promise<void> => {
  await workOnUploads(jobs, deps)
  await workOnPictures(jobs, deps, render)
  await workOnCutOuts(jobs, deps, keyGreen)
  await workOnMatches(jobs, deps)
  await jobs.work('take-up-pictures', 1, async () => {
    await takeUpUploads(deps)
    await takeUpPictures(deps)
    await takeUpMatches(deps)
  })
  await workOnPayments(jobs, deps)
  await workOnRefunds(jobs, deps)
  await workOnMails(jobs, deps)
  await workOnResetLinks(jobs, deps)
  await workOnInvitations(jobs, deps)
  await workOnPoses(jobs, deps)
  await workOnDownloads(jobs, deps)
  await workOnCompositions(jobs, deps, compose)
  await workOnPackets(jobs, deps, print)
  await workOnImports(jobs, deps)
  await jobs.work('close-batches', 1, () => closeDueBatches(deps))
  await workOnOpened(jobs, deps)
  await workOnRemovedFiles(jobs, deps)
  await jobs.work('check-hosts', 1, () => recheckHosts(deps))
  await jobs.work('tidy', 1, () => tidy(deps, client))
}
