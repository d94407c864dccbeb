import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { GreenScreen } from '#contract/customer/job-offers.ts'
import { grantToImages, type JobSession } from '../access/grants/grants.ts'
import type { Db } from '../database/database.ts'
import { imageUrl } from '../images/store/image-urls.ts'
import { hasFeature } from '../jobs/store/job-services.ts'
import { areImagesVisible } from '../jobs/store/order-availability.ts'

type Row = {
  id: number
  image_id: number
  name: string
  width: number
  height: number
  thumb_hash: string
  preview_hash: string
  grant_id: string | null
}

/** The job's backgrounds in the studio's order, with URLs under the session's newest grant that shows images. */
export const listOfferedGreenScreens = async (
  db: Db,
  jobSession: JobSession,
  now: Date,
): Promise<Infer<typeof GreenScreen>[]> => {
  const { studioId, jobId } = jobSession.job
  const { rows } = await sql<Row>`
    select q.id, i.id as image_id, q.name, i.width, i.height, i.thumb_hash, i.preview_hash,
           ${grantToImages(jobSession, now)} as grant_id
      from jobs j join studios s on s.id = j.studio_id
      join green_screens q on q.studio_id = j.studio_id and q.job_id = j.id and q.is_enabled
      join image_lookups i on i.studio_id = q.studio_id and i.id = q.image_id and i.state = 'ready'
                          and i.published_at <= ${now}::timestamptz
     where j.studio_id = ${studioId} and j.id = ${jobId} and ${areImagesVisible(now)} and ${hasFeature('greenscreens')}
     order by q.position, q.id`.execute(db)
  return rows.map(({ id, image_id: imageId, name, width, height, thumb_hash, preview_hash, grant_id: grantId }) => ({
    id,
    imageId,
    name,
    width,
    height,
    thumbnailUrl: grantId && imageUrl({ grantId, imageId, variant: 'thumb', hash: thumb_hash }),
    previewUrl: grantId && imageUrl({ grantId, imageId, variant: 'preview', hash: preview_hash }),
  }))
}
