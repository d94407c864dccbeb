import type { Migration } from 'kysely/migration'
import { answersMarked } from './answers-marked.ts'
import { answersOfJobs } from './answers-of-jobs.ts'
import { attemptsAsBegun } from './attempts-as-begun.ts'
import { batchesAndCompositions } from './batches-and-compositions.ts'
import { cartIdsAtRandom } from './cart-ids-at-random.ts'
import { carts } from './carts.ts'
import { catalogue } from './catalogue.ts'
import { endsTold } from './ends-told.ts'
import { filesSized } from './files-sized.ts'
import { foundAtOnce } from './found-at-once.ts'
import { handOvers } from './hand-overs.ts'
import { handOversTaken } from './hand-overs-taken.ts'
import { hostsProved } from './hosts-proved.ts'
import { imagesWithdrawn } from './images-withdrawn.ts'
import { importsInSteps } from './imports-in-steps.ts'
import { importsWithWarnings } from './imports-with-warnings.ts'
import { jobLists } from './job-lists.ts'
import { listsAtOnce } from './lists-at-once.ts'
import { logoSize } from './logo-size.ts'
import { mailWithoutSecrets } from './mail-without-secrets.ts'
import { matchRuns } from './match-runs.ts'
import { nothingLeftOver } from './nothing-left-over.ts'
import { orders } from './orders.ts'
import { ordersAwaitingPoses } from './orders-awaiting-poses.ts'
import { ordersListed } from './orders-listed.ts'
import { ordersPaidFurther } from './orders-paid-further.ts'
import { ownCodeNotPublic } from './own-code-not-public.ts'
import { photosWaitedFor } from './photos-waited-for.ts'
import { photosWithdrawn } from './photos-withdrawn.ts'
import { platform } from './platform.ts'
import { platformCatalogue } from './platform-catalogue.ts'
import { platformLogs } from './platform-logs.ts'
import { posesAsked } from './poses-asked.ts'
import { posesAskedPerLine } from './poses-asked-per-line.ts'
import { refundsOfCharges } from './refunds-of-charges.ts'
import { searchLimits } from './search-limits.ts'
import { shootsAndPaperOrders } from './shoots-and-paper-orders.ts'
import { staffRemoved } from './staff-removed.ts'
import { staffWork } from './staff-work.ts'
import { studio } from './studio.ts'
import { subjectsImages } from './subjects-images.ts'
import { subjectsSoughtAndEdited } from './subjects-sought-and-edited.ts'
import { supersededImages } from './superseded-images.ts'
import { uploadsInParts } from './uploads-in-parts.ts'
import { uploadsInTurns } from './uploads-in-turns.ts'

/** Every step of the database, in order. A step that has been released is never edited: the next change is the next step. */
export const migrations: Record<string, Migration> = {
  '0001-platform': platform,
  '0002-platform-catalogue': platformCatalogue,
  '0003-platform-logs': platformLogs,
  '0004-studio': studio,
  '0005-catalogue': catalogue,
  '0006-subjects-images': subjectsImages,
  '0007-carts': carts,
  '0008-orders': orders,
  '0009-staff-work': staffWork,
  '0010-logo-size': logoSize,
  '0011-poses-asked': posesAsked,
  '0012-poses-asked-per-line': posesAskedPerLine,
  '0013-orders-awaiting-poses': ordersAwaitingPoses,
  '0014-answers-marked': answersMarked,
  '0015-cart-ids-at-random': cartIdsAtRandom,
  '0016-hand-overs': handOvers,
  '0017-hand-overs-taken': handOversTaken,
  '0018-refunds-of-charges': refundsOfCharges,
  '0019-found-at-once': foundAtOnce,
  '0020-attempts-as-begun': attemptsAsBegun,
  '0021-batches-and-compositions': batchesAndCompositions,
  '0022-orders-paid-further': ordersPaidFurther,
  '0023-staff-removed': staffRemoved,
  '0025-job-lists': jobLists,
  '0027-subjects-sought-and-edited': subjectsSoughtAndEdited,
  '0028-imports-in-steps': importsInSteps,
  '0029-uploads-in-parts': uploadsInParts,
  '0030-shoots-and-paper-orders': shootsAndPaperOrders,
  '0031-mail-without-secrets': mailWithoutSecrets,
  '0033-nothing-left-over': nothingLeftOver,
  '0034-match-runs': matchRuns,
  '0035-orders-listed': ordersListed,
  '0038-ends-told': endsTold,
  '0039-answers-of-jobs': answersOfJobs,
  '0040-lists-at-once': listsAtOnce,
  '0041-search-limits': searchLimits,
  '0042-own-code-not-public': ownCodeNotPublic,
  '0043-imports-with-warnings': importsWithWarnings,
  '0044-superseded-images': supersededImages,
  '0045-hosts-proved': hostsProved,
  '0046-photos-waited-for': photosWaitedFor,
  '0047-photos-withdrawn': photosWithdrawn,
  '0048-uploads-in-turns': uploadsInTurns,
  '0049-images-withdrawn': imagesWithdrawn,
  '0050-files-sized': filesSized,
}
