import { sql } from 'kysely'
import type { YearBookSubject } from '#contract/studio/portraits/year-book.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import type { UrlSigningDeps } from '../http/sign-url.ts'
import { lockJob } from '../jobs/store/find-job.ts'
import { readYearBookSubject } from './list-year-book-subjects.ts'

/** Chooses the yearbook image of a subject on behalf of staff; null removes the choice. */
export const chooseYearBookImage = (
  deps: Deps & UrlSigningDeps,
  key: JobKey & { readonly subjectId: number },
  imageId: number | null,
): Promise<YearBookSubject | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, subjectId } = key
    await lockJob(tx, key)
    const subject = await readYearBookSubject({ ...deps, db: tx }, key)
    if (!subject) return problem('not-found')
    if (imageId === null) {
      await tx
        .deleteFrom('year_book_poses')
        .where('studio_id', '=', studioId)
        .where('subject_id', '=', subjectId)
        .execute()
    } else {
      if (!subject.images.some(({ id }) => id === imageId))
        return problem('refused', 'This image can’t be chosen for this person')
      await sql`
        insert into year_book_poses (studio_id, subject_id, image_id, chosen_by, chosen_at)
        values (${studioId}, ${subjectId}, ${imageId}, ${deps.user.id}, ${deps.clock()})
        on conflict (studio_id, subject_id) do update
          set image_id = excluded.image_id, session_id = null, chosen_by = excluded.chosen_by, chosen_at = excluded.chosen_at`.execute(
        tx,
      )
    }
    return (await readYearBookSubject({ ...deps, db: tx }, key)) ?? problem('not-found')
  })
