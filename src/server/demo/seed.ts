import { sql } from 'kysely'
import { hashPassword } from '../access/credentials/verify-password.ts'
import type { User } from '../access/tokens/access-token.ts'
import { type Db, inTransaction, type Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type DemoCalendar, demoCalendarFrom } from './demo-calendar.ts'
import { type RenderedDemo, renderDemo } from './render-demo-images.ts'
import { insertImages } from './seed-images.ts'
import {
  classPortraits,
  fallPictureDay,
  hawksMedia,
  insertJob,
  insertJobFields,
  insertJobServices,
  insertPromotions,
  type JobContext,
  rapidsTeam,
  springPortraits,
} from './seed-jobs.ts'
import { type DemoServices, insertOrders } from './seed-orders.ts'
import { leagueSet, schoolSet, teamSet } from './seed-package-sets.ts'
import { insertPackageSet } from './seed-packages.ts'
import { insertPlatform, type PlatformIds } from './seed-platform.ts'
import { insertRoster } from './seed-roster.ts'
import { demoPassword, demoTimeZone, insertStudio, insertUsers, riverside, summit } from './seed-studios.ts'
import { fallRoster, hawks, players, portraitPupils, pupils } from './seed-subjects.ts'
import { type StoredDemo, storeDemo } from './store-demo-images.ts'

const isEmpty = async (db: Db | Transaction): Promise<boolean> => {
  const { rows } = await sql<{ empty: boolean }>`
    select not exists (select from studios) and not exists (select from users) as empty`.execute(db)
  return rows[0]?.empty ?? false
}

type SeedContext = {
  platform: PlatformIds
  calendar: DemoCalendar
  stored: StoredDemo
  randomBytes: Deps['randomBytes']
}

type RiversideIds = { studioId: number; school: JobContext & { organizationId: number } }

const writeRiverside = async (
  tx: Transaction,
  { platform, calendar, stored, randomBytes }: SeedContext,
): Promise<RiversideIds> => {
  const { studioId, organizationIds } = await insertStudio(tx, platform, {
    draft: riverside,
    logo: stored.logos.riverside,
  })
  const [schoolId = 0, clubId = 0] = riverside.organizations.map(([name]) => organizationIds.get(name))
  const schoolSetId = await insertPackageSet(tx, studioId, schoolSet)
  const teamSetId = await insertPackageSet(tx, studioId, teamSet)
  const school = { studioId, organizationId: schoolId, packageSetId: schoolSetId, calendar }

  const spring = { studioId, jobId: await insertJob(tx, school, springPortraits) }
  await insertJobServices(tx, { studio_id: studioId, job_id: spring.jobId }, platform)
  const pupilIds = await insertRoster(tx, spring, { subjects: pupils, randomBytes })
  await insertImages(tx, spring, { ids: pupilIds, images: stored.spring, publishedAt: calendar.instant(-7) })

  const fall = { studioId, jobId: await insertJob(tx, school, fallPictureDay) }
  await insertJobFields(tx, { studio_id: studioId, job_id: fall.jobId }, platform)
  await insertJobServices(tx, { studio_id: studioId, job_id: fall.jobId }, platform)
  await insertRoster(tx, fall, { subjects: fallRoster, randomBytes })

  const clubContext = { studioId, organizationId: clubId, packageSetId: teamSetId, calendar }
  const rapids = { studioId, jobId: await insertJob(tx, clubContext, rapidsTeam) }
  await insertJobServices(tx, { studio_id: studioId, job_id: rapids.jobId }, platform)
  const playerIds = await insertRoster(tx, rapids, { subjects: players, randomBytes })
  await insertImages(tx, rapids, { ids: playerIds, images: stored.rapids, publishedAt: calendar.instant(-5) })
  return { studioId, school }
}

/** Inserts the past job and sells it. It is the last one, because tests rely on the ids of the others. */
const writeClassPortraits = async (
  tx: Transaction,
  deps: Deps,
  {
    context: { platform, calendar, stored, randomBytes },
    riverside: { studioId, school },
    services,
    staff,
  }: { context: SeedContext; riverside: RiversideIds; services: DemoServices; staff: User },
): Promise<void> => {
  const job = { studioId, jobId: await insertJob(tx, school, classPortraits) }
  await insertJobServices(tx, { studio_id: studioId, job_id: job.jobId }, platform)
  const ids = await insertRoster(tx, job, { subjects: portraitPupils, randomBytes })
  await insertImages(tx, job, { ids, images: stored.classPortraits, publishedAt: calendar.instant(-48) })
  await insertPromotions(tx, job)
  await insertOrders(tx, deps, { services, soldJob: { ...school, job, ids, platform, staff } })
}

const writeSummit = async (
  tx: Transaction,
  { platform, calendar, stored, randomBytes }: SeedContext,
): Promise<number> => {
  const { studioId, organizationIds } = await insertStudio(tx, platform, { draft: summit, logo: stored.logos.summit })
  const [organizationId = null] = organizationIds.values()
  const packageSetId = await insertPackageSet(tx, studioId, leagueSet)
  const jobContext = { studioId, organizationId, packageSetId, calendar }
  const media = { studioId, jobId: await insertJob(tx, jobContext, hawksMedia) }
  const ids = await insertRoster(tx, media, { subjects: hawks, randomBytes })
  await insertImages(tx, media, { ids, images: stored.hawks, publishedAt: calendar.instant(-4) })
  return studioId
}

/**
 * Seeds an empty database with the demo (section 9). One transaction writes everything after all images are stored, so
 * a demo is complete or absent. Its orders are paid with the built-in services. Returns false without changes when a studio
 * or a user exists. `images` are the images that the start of the server renders already.
 */
export const seedDemo = async (
  deps: Deps,
  { services, images }: { services: DemoServices; images?: Promise<RenderedDemo> | undefined },
): Promise<boolean> => {
  if (!(await isEmpty(deps.db))) return false
  const calendar = demoCalendarFrom(deps.clock(), demoTimeZone)
  const rendered = await (images ?? renderDemo())
  const stored = await storeDemo(deps, { rendered, calendar })
  const passwordHash = await hashPassword(demoPassword)
  return await inTransaction(deps.db, async (tx) => {
    // When two servers start on the same empty database, the second waits here and then finds the first one's rows.
    await sql`lock table studios in share row exclusive mode`.execute(tx)
    if (!(await isEmpty(tx))) return false
    const context = { platform: await insertPlatform(tx), calendar, stored, randomBytes: deps.randomBytes }
    const riverside = await writeRiverside(tx, context)
    const summitId = await writeSummit(tx, context)
    const staff = await insertUsers(tx, { passwordHash, riversideId: riverside.studioId, summitId })
    await writeClassPortraits(tx, deps, { context, riverside, services, staff })
    return true
  })
}
