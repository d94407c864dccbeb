import { subHours } from 'date-fns/subHours'
import { purgeInvitations, startInvitationEmailWorkers } from './access/accounts/invitation-emails.ts'
import { purgeApiTokens } from './access/api-tokens/api-tokens.ts'
import { purgeFailureCounts } from './access/brute-force/failure-counts.ts'
import { purgeSpentTokens } from './access/credentials/step-tokens.ts'
import { purgePendingSubjects, purgeSessions } from './access/sessions/purge-sessions.ts'
import { purgeResetLinks, startResetEmailWorkers } from './access/sign-in/password-reset-links.ts'
import { startSupportEmailWorker } from './access/support/support-emails.ts'
import { purgeRefreshTokens } from './access/tokens/refresh-tokens.ts'
import { startSecurityEmailWorker } from './access/two-factor/security-emails.ts'
import { purgeAuditLog, sealAuditLog } from './audit/audit-chain.ts'
import { purgeMailLog, purgeTaxLog } from './audit/audit-log.ts'
import { countSoldPackages } from './catalogue/count-sold-packages.ts'
import { accrueAllCommissions } from './commissions/accrue-commissions.ts'
import { analyzeTables } from './database/analyze-tables.ts'
import { analyzeStaleTables } from './database/stale-statistics.ts'
import type { Deps } from './deps.ts'
import { purgeNotifiedWaitlist, startWaitlistWorkers } from './discovery/notify-waitlist.ts'
import { purgeUnusualSearches } from './discovery/record-unusual-searches.ts'
import { startCompositionWorker } from './downloads/compose-downloads.ts'
import { removeOldForms } from './http/forms/multipart-form.ts'
import { purgeIdempotencyKeys } from './http/idempotency.ts'
import type { BuiltClient } from './http/pages/built-client.ts'
import { purgeOldBuilds } from './http/pages/previous-builds.ts'
import { expireImageExports, startImageExportWorker } from './image-exports/make-export.ts'
import type { ChromaKey } from './images/engine/chroma-key.ts'
import type { Compose } from './images/engine/compose-image.ts'
import type { RenderVariants } from './images/engine/render-variants.ts'
import { startCutOutWorker } from './images/lookups/cut-outs.ts'
import { requeueStalledMatchRuns, startRematchWorker } from './images/lookups/rematch-images.ts'
import type { CropImage } from './images/print/crop-image.ts'
import type { PrintItem } from './images/print/print-file.ts'
import { startVariantWorkers } from './images/serving/make-variants.ts'
import { requeueStalledPreviewRuns, startPreviewRunWorkers } from './images/serving/preview-run-workers.ts'
import { requeueStalledImages } from './images/serving/requeue-stalled-images.ts'
import { enqueueUpload } from './images/uploads/enqueue-upload.ts'
import { startUploadWorkers } from './images/uploads/process-upload.ts'
import { purgeUploads } from './images/uploads/purge-uploads.ts'
import { requeueStalledUploads } from './images/uploads/requeue-stalled-uploads.ts'
import { purgeImports, startImportWorker } from './imports/import-worker.ts'
import { startFileRemovalWorker } from './jobs/delete-job.ts'
import { mergeJobChanges } from './jobs/store/job-changes.ts'
import { mergeJobCounts } from './jobs/store/job-counts.ts'
import { startRefundWorkers } from './orders/adjustments/settle-refunds.ts'
import { startDownloadEmailWorker } from './orders/emails/notify-downloads-ready.ts'
import { startOrderEmailWorkers } from './orders/emails/order-emails.ts'
import { startYearBookReminderWorker } from './orders/emails/remind-of-year-book.ts'
import { startImageChoiceRequestWorkers } from './orders/emails/request-image-choice.ts'
import { purgePaymentEvents } from './payments/attempts/payment-webhook.ts'
import { startPaymentWorkers } from './payments/attempts/reconcile-payments.ts'
import { mergeLedgerDays } from './payments/ledger/read-payment-summary.ts'
import { startStatementWorkers } from './payments/statements/pull-statement.ts'
import { purgeFieldValues } from './platform/purge-field-values.ts'
import { startStudioEmailWorker } from './platform/studio-emails.ts'
import { closeDueBatches } from './production/change-batch.ts'
import { startPacketWorker } from './production/make-packet.ts'
import type { BackgroundJobs } from './queue/background-jobs.ts'
import { deleteRunningJobs, requeueParkedJobs } from './queue/pausable-work.ts'
import type { queues } from './queue/queues.ts'
import { purgeReminderAddresses, startReminderWorkers } from './reminders/reminder-workers.ts'
import { purgeReportFiles, startReportFileWorker } from './reports/make-report-file.ts'
import { startReportEmailWorkers } from './reports/send-reports.ts'
import { purgeShares } from './shares/share-counts.ts'
import { recheckHosts } from './studio/recheck-hosts.ts'
import { startStudioDeletionWorkers } from './studio-data/delete-studio.ts'
import { expireStudioExports, startStudioExportWorker } from './studio-data/make-studio-export.ts'
import { purgeBulkEdits } from './subjects/undo-bulk-edit.ts'
import { purgeWebhookEvents, startWebhookWorkers } from './webhooks/webhook-workers.ts'

/** Purges expired data. Every step is idempotent. Forms of the last day may still be in use. */
export const purgeExpiredData = async (deps: Deps, client: BuiltClient | undefined): Promise<void> => {
  await purgeIdempotencyKeys(deps)
  await purgeFailureCounts(deps)
  await purgeRefreshTokens(deps)
  await purgeApiTokens(deps)
  await purgeResetLinks(deps)
  await purgeSpentTokens(deps)
  await purgeInvitations(deps)
  await purgeSessions(deps)
  await purgePendingSubjects(deps)
  await purgeUnusualSearches(deps)
  await purgePaymentEvents(deps)
  await purgeNotifiedWaitlist(deps)
  await purgeReminderAddresses(deps)
  await purgeTaxLog(deps)
  await purgeMailLog(deps)
  await purgeFieldValues(deps)
  await purgeAuditLog(deps)
  await purgeBulkEdits(deps)
  await purgeImports(deps)
  await purgeUploads(deps)
  await expireImageExports(deps)
  await expireStudioExports(deps)
  await purgeReportFiles(deps)
  await purgeShares(deps)
  await purgeWebhookEvents(deps)
  await removeOldForms(deps.settings.dataDir, subHours(deps.clock(), 24))
  if (client) await purgeOldBuilds(deps, client)
}

/** Starts every background worker: the table of contents of background jobs, as `app.ts` is of the routes. */
export const startWorkers = async (
  deps: Deps,
  jobs: BackgroundJobs<typeof queues>,
  {
    client,
    render,
    renderPrint,
    cropImage,
    compose,
    keyGreen,
  }: {
    client: BuiltClient | undefined
    render: RenderVariants
    renderPrint: PrintItem
    cropImage: CropImage
    compose: Compose
    keyGreen: ChromaKey
  },
): Promise<void> => {
  await deleteRunningJobs(deps)
  await startUploadWorkers(jobs, deps)
  await startVariantWorkers(jobs, deps, render)
  await startPreviewRunWorkers(jobs, deps, render)
  await startCutOutWorker(jobs, deps, keyGreen)
  await startRematchWorker(jobs, deps)
  const requeueParked = () =>
    requeueParkedJobs(deps, { 'process-upload': (tx, upload) => enqueueUpload(tx, deps, upload) })
  await jobs.work('requeue-parked-jobs', 1, requeueParked)
  await jobs.work('requeue-stalled-image-work', 1, async () => {
    await requeueParked()
    await requeueStalledUploads(deps)
    await requeueStalledImages(deps)
    await requeueStalledMatchRuns(deps)
    await requeueStalledPreviewRuns(deps)
  })
  await startPaymentWorkers(jobs, deps)
  await startRefundWorkers(jobs, deps)
  await startStatementWorkers(jobs, deps)
  await startOrderEmailWorkers(jobs, deps)
  await startResetEmailWorkers(jobs, deps)
  await startInvitationEmailWorkers(jobs, deps)
  await startSecurityEmailWorker(jobs, deps)
  await startStudioEmailWorker(jobs, deps)
  await startStudioDeletionWorkers(jobs, deps)
  await startStudioExportWorker(jobs, deps)
  await startSupportEmailWorker(jobs, deps)
  await startWebhookWorkers(jobs, deps)
  await startImageChoiceRequestWorkers(jobs, deps)
  await startYearBookReminderWorker(jobs, deps)
  await startDownloadEmailWorker(jobs, deps)
  await startCompositionWorker(jobs, deps, compose)
  await startPacketWorker(jobs, deps, renderPrint)
  await startImageExportWorker(jobs, deps, cropImage)
  await startImportWorker(jobs, deps)
  await jobs.work('analyze-tables', 1, ({ payload }) => analyzeTables(deps, payload))
  await jobs.work('analyze-stale-tables', 1, () => analyzeStaleTables(deps))
  await jobs.work('close-batches', 1, () => closeDueBatches(deps))
  await jobs.work('merge-job-rows', 1, async () => {
    await mergeJobChanges(deps)
    await mergeJobCounts(deps)
    await mergeLedgerDays(deps)
  })
  await jobs.work('seal-audit-log', 1, () => sealAuditLog(deps))
  await startReportEmailWorkers(jobs, deps)
  await startReportFileWorker(jobs, deps)
  await startWaitlistWorkers(jobs, deps)
  await startReminderWorkers(jobs, deps)
  await startFileRemovalWorker(jobs, deps)
  await jobs.work('count-sold-packages', 1, () => countSoldPackages(deps))
  await jobs.work('accrue-commissions', 1, () => accrueAllCommissions(deps))
  await jobs.work('check-hosts', 1, () => recheckHosts(deps))
  await jobs.work('purge-expired-data', 1, () => purgeExpiredData(deps, client))
}
