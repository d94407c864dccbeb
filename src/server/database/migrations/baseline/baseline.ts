import type { Migration } from 'kysely/migration'
import { createAccounts } from './accounts.ts'
import { createBackgroundWork } from './background-work.ts'
import { createCarts } from './carts.ts'
import { createCatalogue } from './catalogue.ts'
import { createCommissions } from './commissions.ts'
import { createCreditNotes } from './credit-notes.ts'
import { createFulfilment } from './fulfilment.ts'
import { createImageExports } from './image-exports.ts'
import { createImages } from './images.ts'
import { createJobs } from './jobs.ts'
import { createOrders } from './orders.ts'
import { createPayouts } from './payouts.ts'
import { createPlatform } from './platform.ts'
import { createPlatformCatalogue } from './platform-catalogue.ts'
import { createPlatformLogs } from './platform-logs.ts'
import { createReminders } from './reminders.ts'
import { createSecondFactors } from './second-factors.ts'
import { createShares } from './shares.ts'
import { createStaffWork } from './staff-work.ts'
import { createSubjects } from './subjects.ts'
import { createSupportAccesses } from './support-accesses.ts'
import { createCounts } from './triggers/counts.ts'
import { createJobChanges } from './triggers/job-changes.ts'
import { createLedgerDays } from './triggers/ledger-days.ts'
import { createSubjectSearch } from './triggers/subject-search.ts'
import { createWithdrawnImages } from './triggers/withdrawn-images.ts'
import { createWebhooks } from './webhooks.ts'

/** The whole schema of the first release. In this order, because tables refer to tables created before them. */
export const baseline: Migration = {
  up: async (db) => {
    await createPlatform(db)
    await createAccounts(db)
    await createSupportAccesses(db)
    await createSecondFactors(db)
    await createPlatformCatalogue(db)
    await createPlatformLogs(db)
    await createBackgroundWork(db)
    await createJobs(db)
    await createCatalogue(db)
    await createSubjects(db)
    await createSubjectSearch(db)
    await createImages(db)
    await createWithdrawnImages(db)
    await createShares(db)
    await createCarts(db)
    await createReminders(db)
    await createOrders(db)
    await createLedgerDays(db)
    await createPayouts(db)
    await createCommissions(db)
    await createCreditNotes(db)
    await createFulfilment(db)
    await createStaffWork(db)
    await createImageExports(db)
    await createWebhooks(db)
    await createJobChanges(db)
    await createCounts(db)
  },
}
