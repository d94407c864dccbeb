import { type APIRequestContext, type BrowserContext, type Page, request } from 'playwright/test'
import { type AnyCall, pathOf } from '#contract/shapes/call.ts'
import { publishImages } from '#contract/studio/images/image-lookups.ts'
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
  openPrints,
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

/** Signs in a staff member outside this browser. Returns the calls that hide a subject and withdraw an image. */
const signInStaff = async (baseURL: string | undefined) => {
  const api: APIRequestContext = await request.newContext({ baseURL: baseURL ?? '' })
  const loginResponse = await api.post(logIn.path, {
    data: { username: 'staff@riverside.test', password: 'fieldproof-demo' },
  })
  const { data } = await loginResponse.json()
  const headers = { authorization: `Bearer ${data.token}` }
  const send = async (call: AnyCall, params: object, body: object): Promise<void> => {
    const response = await api.fetch(pathOf(call, params, {}), { method: call.method, headers, data: body })
    expect(response.status(), await response.text()).toBe(200)
  }
  return {
    hide: (jobId: number, subjectId: number) =>
      send(editSubjects, { studioId: 1, jobId }, { subjects: { ids: [subjectId] }, edit: { do: 'hide' } }),
    withdraw: (jobId: number, imageId: number) =>
      send(publishImages, { studioId: 1, organizationId: 1, jobId }, { imageIds: [imageId], published: false }),
  }
}

/** The ids of the images that a page shows. */
const visibleImageIds = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const imagePaths = document.body.outerHTML.match(/\/photos\/[^/]+\/\d+\//g) ?? []
    return [...new Set(imagePaths.map((path) => Number(path.split('/')[3])))].sort((a, b) => a - b)
  })

/** The ids of the images in this browser's caches, cached responses and databases. */
const storedImageIds = async (context: BrowserContext, page: Page): Promise<Set<number>> => {
  const { rows, cached } = await readBrowserStorage(context, page)
  const cachedTexts = await page.evaluate(async () => {
    const texts: string[] = []
    for (const name of await caches.keys()) {
      if (!name.includes('catalogue')) continue
      const cache = await caches.open(name)
      for (const request of await cache.keys()) texts.push((await (await cache.match(request))?.text()) ?? '')
    }
    return texts
  })
  const imagePaths = JSON.stringify([rows, cached, cachedTexts]).matchAll(/\/photos\/[\w-]+\/(\d+)\//g)
  return new Set([...imagePaths].map(([, id]) => Number(id)))
}

/** Makes a request that has nothing to do with images: enters a wrong code in another tab. */
const contactServer = async (context: BrowserContext): Promise<void> => {
  const tab = await context.newPage()
  await tab.goto('/riverside')
  await enterAccessCode(tab, 'WRONG')
  await expect(tab.getByText('We don’t recognize that code')).toBeVisible()
}

test('A hidden child of a public gallery disappears from every open screen, cache and database at the next request', async ({
  page,
  context,
  baseURL,
  pageErrors,
}) => {
  const staff = await signInStaff(baseURL)
  await openJob(page, 'RAPIDS')
  const { jobId } = idsInUrl(page)
  const gallery = `/riverside/${jobId}/select-subject`
  await page.goto(gallery)
  await waitForServiceWorker(page)
  await page.reload()
  await page.getByRole('link', { name: 'Andre Baptiste' }).click()
  await page.getByRole('button', { name: 'Choose: MVP Package' }).click()
  const { subjectId } = idsInUrl(page)
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  await expect(page.getByRole('article', { name: /MVP Package/ })).toBeVisible()

  const [galleryPage, packagesPage, editorPage] = [
    await context.newPage(),
    await context.newPage(),
    await context.newPage(),
  ]
  await galleryPage.goto(gallery)
  await expect(galleryPage.getByRole('link', { name: 'Andre Baptiste' })).toBeVisible()
  await packagesPage.goto(`/riverside/${jobId}/subject/${subjectId}/select-package`)
  await expect(packagesPage.getByRole('heading', { name: 'Andre Baptiste', exact: true })).toBeVisible()
  const editUrl = await cartLine(page, /^MVP Package/)
    .getByRole('link', { name: /^Edit/ })
    .getAttribute('href')
  await editorPage.goto(editUrl ?? '')
  await openPrints(editorPage)
  // The first button belongs to the team's image.
  await editorPage.getByRole('button', { name: 'Crop and rotate' }).nth(1).click()
  await expect(editorPage.getByRole('dialog', { name: 'Crop and rotate' })).toBeVisible()

  const images = await page.request.get(`/api/customer/jobs/${jobId}/subjects/${subjectId}/images`)
  const childImageIds = ((await images.json()).data as { id: number; type: string }[])
    .filter(({ type }) => type === 'hosted-individual')
    .map(({ id }) => id)
  const childImagesAmong = (ids: Iterable<number>) => childImageIds.filter((id) => new Set(ids).has(id))
  const screens = [page, galleryPage, packagesPage, editorPage]
  for (const screen of screens)
    await expect.poll(async () => childImagesAmong(await visibleImageIds(screen))).not.toEqual([])
  const idsBefore = await storedImageIds(context, page)
  expect(childImagesAmong(idsBefore)).toEqual(childImageIds)

  await staff.hide(jobId, subjectId)
  await contactServer(context)
  for (const screen of screens)
    await expect
      .poll(async () => childImagesAmong(await visibleImageIds(screen)), { message: new URL(screen.url()).pathname })
      .toEqual([])
  await expect.poll(async () => childImagesAmong(await storedImageIds(context, page))).toEqual([])
  const idsAfter = await storedImageIds(context, page)
  expect([...idsBefore].filter((id) => !childImageIds.includes(id) && !idsAfter.has(id))).toEqual([])
  await expect(cartLine(page, /^MVP Package/)).toContainText('The studio withdrew this photo')
  await checkScreen(page, 'withdrawn-cart')
  await checkScreen(galleryPage, 'withdrawn-gallery')
  await checkScreen(editorPage, 'withdrawn-editor')
  allowPageErrors(pageErrors, missingImageErrors)
})

test('A withdrawn photo disappears at the next request, and the child’s other photos stay', async ({
  page,
  context,
  baseURL,
  pageErrors,
}) => {
  const staff = await signInStaff(baseURL)
  await openAda(page)
  await waitUntilPageCached(page)
  const { jobId } = idsInUrl(page)
  await choosePackage(page, /Package E/)
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  const packagesPage = await context.newPage()
  await packagesPage.goto('/riverside/code/ADALVL')
  await expect(packagesPage.getByRole('radio', { name: 'Photo 2', exact: true })).toBeVisible()
  await packagesPage.getByRole('radio', { name: 'Photo 2', exact: true }).check()
  const print = cartLine(page, /^Package E/)
    .locator('image')
    .first()
  const [, , , idInPath] = ((await print.getAttribute('href')) ?? '').split('/')
  const imageId = Number(idInPath)
  const idsBefore = await storedImageIds(context, page)
  expect(idsBefore.has(imageId)).toBe(true)
  for (const screen of [page, packagesPage]) expect(await visibleImageIds(screen)).toContain(imageId)

  const expectRemoved = async (withdrawn: number[]) => {
    for (const screen of [page, packagesPage])
      await expect.poll(async () => (await visibleImageIds(screen)).filter((id) => withdrawn.includes(id))).toEqual([])
    const remainingIds = [...idsBefore].filter((id) => !withdrawn.includes(id))
    await expect
      .poll(async () => [...(await storedImageIds(context, page))].toSorted())
      .toEqual(remainingIds.toSorted())
  }

  await test.step('A failed call from another tab removes the withdrawn photo', async () => {
    await staff.withdraw(jobId, imageId)
    await contactServer(context)
    await expectRemoved([imageId])
    await expect(cartLine(page, /^Package E/)).toContainText('The studio withdrew this photo')
    await checkScreen(page, 'withdrawn-one-cart')
    await checkScreen(packagesPage, 'withdrawn-one-packages')
  })

  await test.step('The sync of the cart removes another withdrawn photo', async () => {
    const headerImageId = Number(
      (await page.locator('header img[src*="/photos/"]').first().getAttribute('src'))?.split('/')[3],
    )
    await staff.withdraw(jobId, headerImageId)
    await page.getByRole('button', { name: /^One more/ }).click()
    await expectRemoved([imageId, headerImageId])
  })
  allowPageErrors(pageErrors, missingImageErrors)
})
