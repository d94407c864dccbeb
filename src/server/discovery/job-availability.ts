import { sql } from 'kysely'
import type { JobAvailability } from '#contract/customer/discovery-calls.ts'
import type { Grant } from '#contract/shapes/image-structs.ts'
import { isLiveGrant } from '../access/grants/grants.ts'
import type { Session } from '../access/sessions/sessions.ts'
import type { Db } from '../database/database.ts'
import {
  type OrderAvailabilityRow,
  type OrderWindow,
  orderAvailabilityColumns,
  orderAvailabilityOf,
} from '../jobs/store/order-availability.ts'

type AvailabilityRow = OrderAvailabilityRow & {
  studio_slug: string
  studio_name: string
  name: string
  code_given: boolean
  order_found: boolean
  grants: Grant[]
}

const toWindow = ({ available, opens, closes }: OrderWindow): JobAvailability['gallery'] => ({
  available,
  opens: opens?.toISOString() ?? null,
  closes: closes?.toISOString() ?? null,
})

/**
 * Removes what only sessions with access may see. Job ids can be enumerated, so others see only the studio and whether
 * the job is open.
 */
const withoutDetails = (jobAvailability: JobAvailability): JobAvailability => ({
  ...jobAvailability,
  jobName: '',
  prepay: { ...jobAvailability.prepay, opens: null, closes: null },
  gallery: { ...jobAvailability.gallery, opens: null, closes: null },
})

/**
 * Reads whether and when orders for a job can be placed, and what this session may see of it (section 4, customer entry
 * guard). Undefined if the job does not exist or its studio is disabled. Only sessions that entered its code or found
 * an order see its name and dates.
 */
export const readJobAvailability = async (
  db: Db,
  jobId: number,
  { session, now }: { session: Session | undefined; now: Date },
): Promise<JobAvailability | undefined> => {
  const { rows } = await sql<AvailabilityRow>`
    select ${orderAvailabilityColumns(now)}, s.slug as studio_slug, s.name as studio_name, j.name,
           exists (select from session_grants g where g.studio_id = j.studio_id and g.job_id = j.id
                      and g.session_id = ${session?.id ?? null}::bigint and g.kind <> 'order' and ${isLiveGrant(now)}) as code_given,
           exists (select from session_grants g where g.studio_id = j.studio_id and g.job_id = j.id
                      and g.session_id = ${session?.id ?? null}::bigint and g.kind = 'order' and ${isLiveGrant(now)}) as order_found,
           (select coalesce(json_agg(json_build_object('grantId', g.grant_id, 'subjectId', g.subject_id) order by g.id), '[]')
              from session_grants g left join subjects u on u.studio_id = g.studio_id and u.id = g.subject_id
             where g.studio_id = j.studio_id and g.job_id = j.id and g.session_id = ${session?.id ?? null}::bigint
               and ${isLiveGrant(now)} and u.hidden_at is null
               and (g.kind = 'subject' or (g.kind = 'gallery' and j.gallery_is_public))) as grants
      from job_links l join jobs j on j.studio_id = l.studio_id and j.id = l.job_id
      join studios s on s.id = j.studio_id
     where l.job_id = ${jobId} and s.rspo_enabled`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { published, archived, prepay, gallery } = orderAvailabilityOf(row, now)
  const jobAvailability: JobAvailability = {
    jobId,
    studioSlug: row.studio_slug,
    studioName: row.studio_name,
    jobName: row.name,
    published,
    archived,
    prepay: toWindow(prepay),
    gallery: toWindow(gallery),
    codeGiven: row.code_given,
    grants: row.grants,
  }
  return row.code_given || row.order_found ? jobAvailability : withoutDetails(jobAvailability)
}
