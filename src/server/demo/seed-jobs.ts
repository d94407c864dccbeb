import type { Insertable } from 'kysely'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Transaction } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { DemoCalendar } from './demo-calendar.ts'
import type { PlatformIds } from './seed-platform.ts'

/** A demo job's columns besides its name and code. */
export type JobColumns = Partial<Omit<Insertable<Tables['jobs']>, 'studio_id' | 'name'>>

export type JobDraft = { name: string; code: string; columns: (calendar: DemoCalendar) => JobColumns }

const published = ({ instant }: DemoCalendar): JobColumns => ({ rspo_job: true, published_at: instant(-10) })

/** A gallery job with every order service. */
export const springPortraits: JobDraft = {
  name: 'Spring Portraits 2027',
  code: 'SPRING',
  columns: (calendar) => ({
    ...published(calendar),
    event_date: calendar.day(-14),
    gallery_enabled: true,
    gallery_opens_at: calendar.instant(-7),
    gallery_expires_on: calendar.day(75),
    order_by: calendar.day(60),
    delivery_days_from: 7,
    delivery_days_to: 10,
    enable_year_book_pose_selection: true,
    year_book_pose_expires_at: calendar.instant(30),
    allow_retouch: true,
    allow_name_on_all_prints: true,
    allow_name_on_wallets: true,
    image_level_service: true,
  }),
}

/** A prepay job: parents type their child in, or find the child on the roster. */
export const fallPictureDay: JobDraft = {
  name: 'Fall Picture Day 2027',
  code: 'PREPAY',
  columns: (calendar) => ({
    ...published(calendar),
    event_date: calendar.day(45),
    prepay_enabled: true,
    prepay_opens_at: calendar.instant(-7),
    prepay_closes_at: calendar.instant(44),
    allow_name_on_all_prints: true,
    ships_batch: true,
    batch_closes_at: calendar.instant(44),
    delivery_days_from: 14,
    delivery_days_to: 18,
    handed_out_on: calendar.day(66),
  }),
}

/** A public gallery: cut-outs, backgrounds and team images, retouching for a subject as a whole. */
export const rapidsTeam: JobDraft = {
  name: 'Rapids Team Photos',
  code: 'RAPIDS',
  columns: (calendar) => ({
    ...published(calendar),
    event_date: calendar.day(-9),
    gallery_enabled: true,
    gallery_is_public: true,
    gallery_opens_at: calendar.instant(-5),
    gallery_expires_on: calendar.day(75),
    order_by: calendar.day(60),
    imported_data: true,
    allow_retouch: true,
    allow_name_on_wallets: true,
  }),
}

/** A job for the second studio, so that its page links to something. */
export const hawksMedia: JobDraft = {
  name: 'Hawks Media Day',
  code: 'HAWKS',
  columns: (calendar) => ({
    ...published(calendar),
    event_date: calendar.day(-6),
    gallery_enabled: true,
    gallery_expires_on: calendar.day(75),
    order_by: calendar.day(60),
  }),
}

/** A past job, whose gallery has closed, with orders. */
export const classPortraits: JobDraft = {
  name: 'Class Portraits',
  code: 'CLASS',
  columns: (calendar) => ({
    ...published(calendar),
    ...{ published_at: calendar.instant(-48), created_at: calendar.instant(-70), event_date: calendar.day(-55) },
    ...{ gallery_enabled: true, gallery_opens_at: calendar.instant(-48), gallery_expires_on: calendar.day(-3) },
    ...{ delivery_days_from: 7, delivery_days_to: 10 },
    ...{ enable_year_book_pose_selection: true, year_book_pose_expires_at: calendar.instant(-3) },
    allow_retouch: true,
  }),
}

export type JobContext = {
  studioId: number
  organizationId: number | null
  packageSetId: number
  calendar: DemoCalendar
}

/** Inserts a job with its code and links. Returns its id. */
export const insertJob = async (
  tx: Transaction,
  { studioId, organizationId, packageSetId, calendar }: JobContext,
  { name, code, columns }: JobDraft,
): Promise<number> => {
  const { id } = await tx
    .insertInto('jobs')
    .values({
      ...columns(calendar),
      studio_id: studioId,
      organization_id: organizationId,
      package_set_id: packageSetId,
      name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.insertInto('job_links').values({ job_id: id, studio_id: studioId }).execute()
  await tx.insertInto('access_codes').values({ studio_id: studioId, job_id: id, code }).execute()
  return id
}

/** Offers all of the platform's order services in a job, at their default prices. */
export const insertJobServices = async (
  tx: Transaction,
  job: { studio_id: number; job_id: number },
  platform: PlatformIds,
) => {
  const services = platform.services.map(({ id, price_cents, position }) => ({
    ...job,
    order_service_id: id,
    price_cents,
    position,
  }))
  await tx.insertInto('job_order_services').values(services).execute()
}

/** Inserts the custom fields that prepay asks for. */
export const insertJobFields = async (
  tx: Transaction,
  job: { studio_id: number; job_id: number },
  { gradeId }: PlatformIds,
) => {
  const grades = ['Kindergarten', '1', '2', '3', '4', '5'].map((value, index) => ({ id: index + 1, value }))
  await tx
    .insertInto('job_fields')
    .values([
      {
        ...job,
        name: 'Grade',
        label: 'Grade',
        is_required: true,
        has_options: true,
        options: JSON.stringify(grades),
        template_id: gradeId,
        position: 1,
      },
      { ...job, name: 'Teacher', label: 'Teacher', is_required: true, position: 2 },
      { ...job, name: 'Notes', label: 'Anything the photographer should know', input_type: 'textarea', position: 3 },
    ])
    .execute()
}

/** Inserts promotion codes for all jobs of a studio, and one for a job. */
export const insertPromotions = async (tx: Transaction, { studioId, jobId }: JobKey): Promise<void> => {
  await tx
    .insertInto('promotions')
    .values([
      { studio_id: studioId, code: 'SAVE10', name: '10% off', kind: 'percent', basis_points: 1000 },
      { studio_id: studioId, code: 'TAKE5', name: '$5 off', kind: 'amount', amount_cents: 500 },
      {
        ...{ studio_id: studioId, job_id: jobId, code: 'HELPER', name: 'A photo for those who helped' },
        ...{ kind: 'percent', basis_points: 10_000 },
      },
    ])
    .execute()
}
