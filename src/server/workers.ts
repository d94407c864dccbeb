import { purgeInvitations, workOnInvitations } from './accounts/mail-invitation.ts'
import { purgePending, purgeSessions } from './admission/purge-sessions.ts'
import { forgetTaxLog } from './audit/forget-tax-log.ts'
import { purgeResetLinks, workOnResetLinks } from './auth/forgot-password.ts'
import { purgeRefreshTokens } from './auth/refresh-tokens.ts'
import { purgePaymentEvents } from './checkout/payment-events.ts'
import { workOnPayments } from './checkout/settle-payments.ts'
import type { Deps } from './deps.ts'
import { workOnCompositions } from './downloads/compose-downloads.ts'
import { forgetTold, workOnOpened } from './find/tell-opened.ts'
import { purgeUnusualSearches } from './find/unusual-searches.ts'
import type { BuiltClient } from './http/built-client.ts'
import { removeOldForms } from './http/form.ts'
import { purgeGuessCounts } from './http/guess-counts.ts'
import { purgeIdempotencyKeys } from './http/idempotency.ts'
import { forgetOldBuilds } from './http/old-builds.ts'
import { workOnCutOuts } from './image-lookups/cut-outs.ts'
import { takeUpMatches, workOnMatches } from './image-lookups/match-again.ts'
import { forgetImports, workOnImports } from './imports/work-on-imports.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { queues } from './jobs/queues.ts'
import { workOnPoses } from './orders/ask-for-poses.ts'
import { workOnDownloads } from './orders/find-downloads.ts'
import { workOnRefunds } from './orders/refunds.ts'
import { workOnMails } from './orders/tell-customer.ts'
import { workOnPictures } from './photos/make-variants.ts'
import { takeUpPictures } from './photos/take-up-pictures.ts'
import type { Compose } from './pictures/compose.ts'
import type { KeyGreen } from './pictures/key-green.ts'
import type { PrintHere } from './pictures/print-here.ts'
import type { Render } from './pictures/render.ts'
import { closeDueBatches } from './production/change-batch.ts'
import { workOnPackets } from './production/make-packet.ts'
import { recheckHosts } from './studio/recheck-hosts.ts'
import { workOnRemovedFiles } from './studio-jobs/delete-job.ts'
import { forgetEdits } from './subjects/undo-edit.ts'
import { forgetUploads } from './uploads/forget-uploads.ts'
import { workOnUploads } from './uploads/take-in-upload.ts'
import { takeUpUploads } from './uploads/take-up-uploads.ts'

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
