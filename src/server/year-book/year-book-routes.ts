import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/portraits/year-book.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { problem } from '../http/problem.ts'
import { jobExists } from '../jobs/store/find-job.ts'
import { chooseYearBookImage } from './choose-year-book-image.ts'
import { findNextYearBookSubject, listYearBookSubjects, readYearBookSubject } from './list-year-book-subjects.ts'
import { readYearBook } from './read-year-book.ts'
import { sendReminders } from './send-reminders.ts'

/** Mounts the routes of a job's yearbook: its choices, those that staff make, and reminders. */
export const mountYearBook = (app: FastifyInstance, deps: Deps): void => {
  mount(
    app,
    deps,
    calls.getYearBook,
    async ({ params: job }) => (await readYearBook(deps, job)) ?? problem('not-found'),
  )
  mount(app, deps, calls.listYearBookSubjects, async ({ params: job, query, user }) =>
    (await jobExists(deps.db, job)) ? await listYearBookSubjects({ ...deps, user }, job, query) : problem('not-found'),
  )
  mount(app, deps, calls.getNextYearBookSubject, async ({ params: job, query, user }) =>
    (await jobExists(deps.db, job))
      ? { subject: await findNextYearBookSubject({ ...deps, user }, job, query) }
      : problem('not-found'),
  )
  mount(
    app,
    deps,
    calls.getYearBookSubject,
    async ({ params: key, user }) => (await readYearBookSubject({ ...deps, user }, key)) ?? problem('not-found'),
  )
  mount(app, deps, calls.chooseYearBookImage, ({ params: key, body, user }) =>
    chooseYearBookImage({ ...deps, user }, key, body.imageId),
  )
  mount(app, deps, calls.sendYearBookReminders, async ({ params: job, user, recordResponse }) =>
    (await jobExists(deps.db, job)) ? await sendReminders(deps, { job, user, recordResponse }) : problem('not-found'),
  )
}
