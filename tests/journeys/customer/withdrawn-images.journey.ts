import { type APIRequestContext, type BrowserContext, type Page, request } from 'playwright/test'
import { type AnyCall, pathOf } from '#contract/shapes/call.ts'
import { publishImages } from '#contract/studio/image-lookups.ts'
import { editSubjects } from '#contract/studio/subjects.ts'
import { logIn } from '#contract/system/auth.ts'
import { readBrowserStorage } from '#support/browser/browser-storage.ts'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { checkScreen } from '#support/browser/screen-checks.ts'
import {
  addToCart,
  cartLine,
  cartStatus,
  choosePackage,
  enterAccessCode,
  idsInUrl,
  openAda,
  openJob,
  savedAtServer,
} from '#support/journeys/customer-steps.ts'
import {
  allowPageErrors,
  expect,
  missingImageErrors,
  test,
  waitForServiceWorker,
} from '#support/journeys/journey-test.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** Calls of a staff member outside this browser. */
const staffAt = async (baseURL: string | undefined) => {
  const api: APIRequestContext = await request.newContext({ baseURL: baseURL ?? '' })
  const signedIn = await api.post(logIn.path, {
    data: { username: 'staff@riverside.test', password: 'fieldproof-demo' },
  })
  const { data } = await signedIn.json()
  const headers = { authorization: `Bearer ${data.token}` }
  const does = async (call: AnyCall, params: object, body: object): Promise<void> => {
    const answer = await api.fetch(pathOf(call, params, {}), { method: call.method, headers, data: body })
    expect(answer.status(), await answer.text()).toBe(200)
  }
  return {
    hide: (jobId: number, subjectId: number) =>
      does(editSubjects, { studioId: 1, jobId }, { whom: { ids: [subjectId] }, edit: { do: 'hide' } }),
    withdraw: (jobId: number, imageId: number) =>
      does(publishImages, { studioId: 1, organizationId: 1, jobId }, { imageIds: [imageId], published: false }),
  }
}

/** The ids of the images that a page shows. */
const shownOn = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const shown = document.body.outerHTML.match(/\/photos\/[^/]+\/\d+\//g) ?? []
    return [...new Set(shown.map((path) => Number(path.split('/')[3])))].sort((one, other) => one - other)
  })

/** The ids of the images in this browser's caches, cached responses and databases. */
const storedIn = async (context: BrowserContext, page: Page): Promise<Set<number>> => {
  const { rows, cached } = await readBrowserStorage(context, page)
  const answers = await page.evaluate(async () => {
    const texts: string[] = []
    for (const name of await caches.keys()) {
      if (!name.includes('catalogue')) continue
      const cache = await caches.open(name)
      for (const one of await cache.keys()) texts.push((await (await cache.match(one))?.text()) ?? '')
    }
    return texts
  })
  const named = JSON.stringify([rows, cached, answers]).matchAll(/\/photos\/[\w-]+\/(\d+)\//g)
  return new Set([...named].map(([, id]) => Number(id)))
}

/** A failing call that has nothing to do with images: a wrong code in another tab. */
const anyContact = async (context: BrowserContext): Promise<void> => {
  const tab = await context.newPage()
  await tab.goto('/riverside')
  await enterAccessCode(tab, 'WRONG')
  await expect(tab.getByText('This code does not open anything here')).toBeVisible()
}

test('A hidden child of a public gallery goes from every open screen, cache and database at the next contact', async ({
  page,
  context,
  baseURL,
  pageErrors,
}) => {
  const staff = await staffAt(baseURL)
  await openJob(page, 'RAPIDS')
  const { jobId } = idsInUrl(page)
  const gallery = `/riverside/${jobId}/select-subject`
  await page.goto(gallery)
  await waitForServiceWorker(page)
  await page.reload()
  await page.getByRole('link', { name: 'Andre Baptiste' }).click()
  await page.getByRole('button', { name: 'Choose: MVP Package' }).click()
  const { subjectId } = idsInUrl(page)
  await page.getByRole('button', { name: 'Next' }).click()
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  await expect(page.getByRole('article', { name: /MVP Package/ })).toBeVisible()

  const [atGallery, atPackages, atEditor] = [await context.newPage(), await context.newPage(), await context.newPage()]
  await atGallery.goto(gallery)
  await expect(atGallery.getByRole('link', { name: 'Andre Baptiste' })).toBeVisible()
  await atPackages.goto(`/riverside/${jobId}/subject/${subjectId}/select-package`)
  await expect(atPackages.getByRole('heading', { name: 'Andre Baptiste', exact: true })).toBeVisible()
  const edit = await cartLine(page, /^MVP Package/)
    .getByRole('link', { name: /^Edit/ })
    .getAttribute('href')
  await atEditor.goto(edit ?? '')
  // The first belongs to the team's image.
  await atEditor.getByRole('button', { name: 'Crop and turn' }).nth(1).click()
  await expect(atEditor.getByRole('dialog', { name: 'Crop and turn' })).toBeVisible()

  const images = await page.request.get(`/api/customer/jobs/${jobId}/subjects/${subjectId}/images`)
  const own = ((await images.json()).data as { id: number; type: string }[])
    .filter(({ type }) => type === 'hosted-individual')
    .map(({ id }) => id)
  const ownOf = (ids: Iterable<number>) => own.filter((id) => new Set(ids).has(id))
  const screens = [page, atGallery, atPackages, atEditor]
  for (const screen of screens) await expect.poll(async () => ownOf(await shownOn(screen))).not.toEqual([])
  const before = await storedIn(context, page)
  expect(ownOf(before)).toEqual(own)

  await staff.hide(jobId, subjectId)
  await anyContact(context)
  for (const screen of screens)
    await expect.poll(async () => ownOf(await shownOn(screen)), { message: new URL(screen.url()).pathname }).toEqual([])
  await expect.poll(async () => ownOf(await storedIn(context, page))).toEqual([])
  const after = await storedIn(context, page)
  expect([...before].filter((id) => !own.includes(id) && !after.has(id))).toEqual([])
  await expect(cartLine(page, /^MVP Package/)).toContainText('The studio took this photo away')
  await checkScreen(page, 'withdrawn-cart')
  await checkScreen(atGallery, 'withdrawn-gallery')
  await checkScreen(atEditor, 'withdrawn-editor')
  allowPageErrors(pageErrors, missingImageErrors)
})

test('A photo withdrawn from a child found by name goes at the next contact, and the child’s other photos stay', async ({
  page,
  context,
  baseURL,
  pageErrors,
}) => {
  const staff = await staffAt(baseURL)
  await openAda(page)
  await waitUntilPageCached(page)
  const { jobId } = idsInUrl(page)
  await choosePackage(page, /Package E/)
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  const atPackages = await context.newPage()
  await atPackages.goto('/riverside/code/ADALVL')
  await expect(atPackages.getByRole('radio', { name: 'Pose 2', exact: true })).toBeVisible()
  await atPackages.getByRole('radio', { name: 'Pose 2', exact: true }).check()
  const print = cartLine(page, /^Package E/)
    .locator('image')
    .first()
  const [, , , chosen] = ((await print.getAttribute('href')) ?? '').split('/')
  const imageId = Number(chosen)
  const before = await storedIn(context, page)
  expect(before.has(imageId)).toBe(true)
  for (const screen of [page, atPackages]) expect(await shownOn(screen)).toContain(imageId)

  const expectGone = async (withdrawn: number[]) => {
    for (const screen of [page, atPackages])
      await expect.poll(async () => (await shownOn(screen)).filter((id) => withdrawn.includes(id))).toEqual([])
    const others = [...before].filter((id) => !withdrawn.includes(id))
    await expect.poll(async () => [...(await storedIn(context, page))].toSorted()).toEqual(others.toSorted())
  }

  await test.step('by a call that says nothing of photos', async () => {
    await staff.withdraw(jobId, imageId)
    await anyContact(context)
    await expectGone([imageId])
    await expect(cartLine(page, /^Package E/)).toContainText('The studio took this photo away')
    await checkScreen(page, 'withdrawn-one-cart')
    await checkScreen(atPackages, 'withdrawn-one-packages')
  })

  await test.step('by the cart as it is sent', async () => {
    const faceId = Number(
      (await page.locator('header img[src*="/photos/"]').first().getAttribute('src'))?.split('/')[3],
    )
    await staff.withdraw(jobId, faceId)
    await page.getByRole('button', { name: /^One more/ }).click()
    await expectGone([imageId, faceId])
  })
  allowPageErrors(pageErrors, missingImageErrors)
})
