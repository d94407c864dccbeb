import type { FastifyInstance } from 'fastify'
import {
  deleteGreenScreen,
  listStaffGreenScreens,
  orderGreenScreens,
  postGreenScreen,
  putGreenScreen,
} from '../../contract/studio/green-screens.ts'
import type { Deps } from '../deps.ts'
import { listOrPage } from '../http/list-or-page.ts'
import { mount } from '../http/mount.ts'
import { takeFiles } from '../http/multipart.ts'
import { Problem, problem } from '../http/problem.ts'
import { notForThis } from './may-have.ts'
import { readScreen, readScreens, type ScreenKey } from './read-screens.ts'
import { addScreen, orderScreens, removeScreen, replaceScreen } from './write-screens.ts'

/** A background of a large camera; nobody needs more to stand behind a child. */
const mostBytes = 40 * 1024 * 1024

/** The backgrounds of a job, which its customers may choose for their cut-outs (section 7). */
export const mountGreenScreens = async (app: FastifyInstance, deps: Deps): Promise<void> => {
  const answer = async (key: ScreenKey) => (await readScreen(deps, key)) ?? problem('not-found')
  mount(app, deps, listStaffGreenScreens, async ({ params: job, query }) => {
    const screens = (await notForThis(deps.db, job.studioId)) ?? (await readScreens(deps, job)) ?? problem('not-found')
    return screens instanceof Problem ? screens : listOrPage(screens, query, ({ name }) => [name])
  })
  mount(app, deps, putGreenScreen, async ({ params: key, body, user }) => {
    const refused = (await notForThis(deps.db, key.studioId)) ?? (await replaceScreen(deps, { key, user, body }))
    return refused ?? (await answer(key))
  })
  mount(app, deps, deleteGreenScreen, async ({ params: key, user }) => {
    const refused = (await notForThis(deps.db, key.studioId)) ?? (await removeScreen(deps, { key, user }))
    return refused ?? {}
  })
  mount(app, deps, orderGreenScreens, async ({ params: job, body: { ids } }) => {
    const refused = (await notForThis(deps.db, job.studioId)) ?? (await orderScreens(deps, job, ids))
    return refused ?? (await readScreens(deps, job)) ?? problem('not-found')
  })
  await takeFiles({ app, deps, limits: { files: 1, fileBytes: mostBytes } }, (mountForm) => {
    mountForm(postGreenScreen, async ({ params: job, user, form }) => {
      const refused = await notForThis(deps.db, job.studioId)
      if (refused) return refused
      const [file] = form.files
      if (!file) return problem('refused', 'Choose a picture to upload')
      const sent = { fileName: file.fileName, bytes: await file.read() }
      const id = await addScreen(deps, { job, user, file: sent })
      return id instanceof Problem ? id : answer({ ...job, id })
    })
  })
}
