import type { FastifyInstance } from 'fastify'
import {
  deleteGreenScreen,
  listStaffGreenScreens,
  postGreenScreen,
  putGreenScreen,
  putGreenScreenOrder,
} from '#contract/studio/green-screens.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import type { Deps } from '#server/deps.ts'
import { mountFormCalls } from '#server/http/forms/mount-form-calls.ts'
import { mount } from '#server/http/mount.ts'
import { paginateList } from '#server/http/paging/paginate-list.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { type GreenScreenKey, readGreenScreen, readGreenScreens } from './read-green-screens.ts'
import { addGreenScreen, removeGreenScreen, reorderGreenScreens, updateGreenScreen } from './write-green-screens.ts'

/** The file size of an image from a large camera. */
const maxBytes = 40 * 1024 * 1024

/** Mounts staff's routes for the backgrounds of a job, which customers may choose for their cut-outs (section 7). */
export const mountGreenScreens = async (app: FastifyInstance, deps: Deps): Promise<void> => {
  const readResponse = async (user: User, key: GreenScreenKey) =>
    (await readGreenScreen({ ...deps, user }, key)) ?? problem('not-found')
  mount(app, deps, listStaffGreenScreens, async ({ params: job, query, user }) => {
    const screens = (await readGreenScreens({ ...deps, user }, job)) ?? problem('not-found')
    return screens instanceof Problem ? screens : paginateList(screens, query, ({ name }) => [name])
  })
  mount(app, deps, putGreenScreen, async ({ params: key, body, user }) => {
    return (await updateGreenScreen(deps, { key, user, body })) ?? (await readResponse(user, key))
  })
  mount(app, deps, deleteGreenScreen, async ({ params: key, user }) => {
    return (await removeGreenScreen(deps, { key, user })) ?? {}
  })
  mount(app, deps, putGreenScreenOrder, async ({ params: job, body: { ids }, user }) => {
    return (
      (await reorderGreenScreens(deps, job, ids)) ??
      (await readGreenScreens({ ...deps, user }, job)) ??
      problem('not-found')
    )
  })
  await mountFormCalls({ app, deps, limits: { files: 1, fileBytes: maxBytes } }, (mountForm) => {
    mountForm(postGreenScreen, async ({ params: job, user, form }) => {
      const [file] = form.files
      if (!file) return problem('refused', 'Choose an image to upload')
      const id = await addGreenScreen(deps, { job, user, file })
      return id instanceof Problem ? id : readResponse(user, { ...job, id })
    })
  })
}
