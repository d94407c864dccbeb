import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright/test'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { shootCamera, smallCamera, writeCameraImages } from '#support/images/camera-images.ts'
import {
  addToCart,
  cartStatus,
  enterAccessCode,
  fillCardForm,
  fillCheckoutForm,
  pay,
  readOrderNumber,
  searchSubject,
} from '#support/journeys/customer-steps.ts'
import { expect, test as journeyTest } from '#support/journeys/journey-test.ts'
import {
  formatMemoryUse,
  isWithinUploadMemory,
  type MemoryUse,
  peakResidentBytes,
  residentBytes,
} from '#support/measurement/resident-memory.ts'
import { type EmptyProduct, startEmptyProduct } from '#support/product/empty-product.ts'
import { casesOfRun, isFullRun } from '#support/seed.ts'

const isLong = process.env.LONG === '1'
const checksScreens = isLong || process.env.LOOKS === '1'
const counts = isLong ? { subjects: 300, images: 600 } : { subjects: 12, images: 12 }

const firstNames =
  'Ada Alan Grace Mary Rosa Ivan Nina Omar Lena Hugo Cora Theo Iris Noah Vera Juno Emil Dora Otto Ruth'.split(' ')
const lastNames = 'Adler Baker Costa Dunn Ellis Flores Gray Hale Ito Jensen Khan Lopez Moore Nash Ortiz'.split(' ')

const subjects = Array.from({ length: counts.subjects }, (_, n) => ({
  firstName: firstNames[n % firstNames.length] ?? '',
  lastName: lastNames[Math.floor(n / firstNames.length)] ?? '',
  studentId: String(4100 + n),
  homeroom: `Room ${1 + (n % 12)}`,
}))

const list = ['First Name,Last Name,Student ID,Homeroom']
  .concat(
    subjects.map(({ firstName, lastName, studentId, homeroom }) => `${firstName},${lastName},${studentId},${homeroom}`),
  )
  .join('\r\n')

const imageNames = Array.from({ length: counts.images }, (_, n) => {
  const { firstName = '', lastName = '' } = subjects[n % subjects.length] ?? {}
  return `${firstName} ${lastName} ${1 + Math.floor(n / subjects.length)}.jpg`
})

const eventCode = 'SPRING27'
const studioPath = '/northlight-photo'

const sizes = {
  'a tablet screen': { viewport: { width: 1024, height: 768 }, hasTouch: true, server: undefined },
  'a desktop screen': {
    viewport: { width: 1280, height: 800 },
    hasTouch: false,
    server: process.env.TEST_DATABASE_URL,
  },
} as const
type Size = keyof typeof sizes
const sizeNames = ['a tablet screen', 'a desktop screen'] as const satisfies readonly Size[]

type StudioFixtures = { size: Size; emptyProduct: EmptyProduct; folder: string }

const test = journeyTest.extend<StudioFixtures>({
  size: ['a tablet screen', { option: true }],
  emptyProduct: async ({ size }, use) => {
    const emptyProduct = await startEmptyProduct({
      server: isFullRun ? sizes[size].server : undefined,
      starts: 2,
      // Production mode publishes no job with prices unless there are tax rates.
      seed: async ({ db }) => {
        await db.insertInto('tax_rates').values({ region: 'OH', rate_millionths: 0 }).execute()
      },
    })
    await use(emptyProduct)
    await emptyProduct.remove()
    expect(emptyProduct.errors()).toEqual([])
  },
  folder: async ({ size: _ }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'fieldproof-shoot-'))
    await use(folder)
    await rm(folder, { recursive: true, force: true })
  },
  baseURL: async ({ emptyProduct }, use) => use(emptyProduct.url),
})

/** Drives the page of a staff member, by touch on a tablet and by mouse at a desk. */
class StaffPage {
  readonly page: Page
  readonly #size: Size

  constructor(page: Page, size: Size) {
    this.page = page
    this.#size = size
  }

  async press(target: Locator): Promise<void> {
    await (sizes[this.#size].hasTouch ? target.tap() : target.click())
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  /** Follows the first visible link with this name. */
  async follow(name: string | RegExp, within: Locator = this.page.locator('body')): Promise<void> {
    await this.press(within.getByRole('link', { name, exact: true }).filter({ visible: true }).first())
  }

  async type(name: string | RegExp, text: string): Promise<void> {
    await this.page.getByRole('textbox', { name, exact: true }).fill(text)
  }

  expectTitle(name: string | RegExp): Promise<void> {
    return expect(this.page.getByRole('heading', { level: 1, name })).toBeVisible()
  }

  /** The navigation between the sections of the job. */
  get jobNavigation(): Locator {
    return this.page.getByRole('navigation', { name: 'Spring portraits' })
  }

  async checkStaffStep(name: string): Promise<void> {
    if (!checksScreens) return
    await checkStaffScreen(this.page, `90-whole-${name}`)
    await this.page.setViewportSize(sizes[this.#size].viewport)
  }
}

const registerStudio = async (staff: StaffPage): Promise<void> => {
  const { page } = staff
  await page.goto('/')
  await staff.follow('Studio Login')
  await staff.follow('Set up a new studio')
  await staff.type('Studio name', 'Northlight Photo')
  await expect(page.getByText('This address is free.')).toBeVisible()
  await staff.type('Your name', 'Nora Light')
  await staff.type('Email', 'nora@northlight.test')
  await page.getByLabel('Password', { exact: true }).fill('a river in spring')
  await page.getByLabel('Password again').fill('a river in spring')
  await staff.press(staff.button('Set up my studio'))
  await staff.expectTitle('Home')
  await staff.checkStaffStep('1-home-of-a-new-studio')
}

const addOrganization = async (staff: StaffPage): Promise<void> => {
  await staff.follow('Add an organization')
  await staff.press(staff.button('New organization').first())
  await staff.type('Name', 'Harbor Elementary')
  await staff.press(staff.button('Create organization'))
  await staff.expectTitle('Harbor Elementary')
  await staff.checkStaffStep('2-organization')
}

/** Requests verification, without which a studio cannot have galleries. */
const verifyStudio = async (staff: StaffPage): Promise<void> => {
  const { page } = staff
  await staff.follow('Home')
  await staff.follow('Create your first job')
  await staff.press(staff.button('New job').first())
  await expect(page.getByText(/^A gallery needs a verified studio/)).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'From a gallery' })).toHaveCount(0)
  await staff.follow('Verify this studio')
  await staff.type('Account number', '4600200')
  await page.getByLabel('Password', { exact: true }).fill('partner-demo')
  await staff.press(staff.button('Request verification'))
  await expect(page.getByText('Verified by the partner, account 4600200')).toBeVisible()
}

const createJob = async (staff: StaffPage): Promise<void> => {
  await staff.follow('Home')
  await staff.follow('Create your first job')
  await staff.press(staff.button('New job').first())
  await staff.type('Name', 'Spring portraits')
  await staff.page.getByLabel(/^Picture day/).fill('2035-04-02')
  await staff.type(/^Code/, eventCode)
  await staff.page.getByRole('checkbox', { name: 'From a gallery' }).check()
  await staff.page.getByRole('checkbox', { name: 'Before the picture day' }).uncheck()
  await staff.press(staff.button('Create job'))
  await staff.expectTitle('Overview')
  await staff.checkStaffStep('3-overview-of-a-new-job')
}

const importSubjects = async (staff: StaffPage): Promise<void> => {
  const { page } = staff
  await staff.follow('Import', staff.jobNavigation)
  const file = { name: 'harbor.csv', mimeType: 'text/csv', buffer: Buffer.from(list) }
  await page.getByLabel(/Choose a list/).setInputFiles(file)
  await expect(page.getByLabel('“Student ID” is')).toHaveValue('reference')
  await staff.checkStaffStep('4-columns')
  await staff.press(staff.button('Preview'))
  await staff.press(staff.button(`Import ${counts.subjects} people`))
  await expect(page.getByText('The list is imported')).toBeVisible({ timeout: 60_000 })
  await staff.checkStaffStep('5-imported')
}

const createPackageSet = async (staff: StaffPage): Promise<void> => {
  const { page } = staff
  await staff.follow('Packages', staff.jobNavigation)
  await staff.checkStaffStep('6-packages-of-a-new-job')
  await staff.press(staff.button('New package set'))
  await staff.type('Name', 'Spring packages')
  await staff.press(staff.button('Save'))
  await staff.expectTitle('Spring packages')
  await staff.follow('New package')
  await staff.type('Name', 'Keepsake')
  await page.getByRole('spinbutton', { name: 'Price, $' }).fill('19.5')
  await staff.press(page.getByRole('tab', { name: /Contents/ }))
  await staff.press(staff.button('Add product'))
  await staff.press(page.getByRole('button', { name: /^8×10 print/ }))
  await staff.checkStaffStep('7-package')
  await staff.press(staff.button('Save'))
  await staff.expectTitle('Keepsake')
}

const uploadImages = async (staff: StaffPage, paths: readonly string[]): Promise<void> => {
  const { page } = staff
  await staff.follow('Images', staff.jobNavigation)
  await page.getByRole('combobox', { name: 'Match images' }).selectOption('By file name')
  await page.getByLabel('Images to upload').setInputFiles([...paths])
  const queue = page.getByRole('region', { name: 'Files being uploaded' })
  await expect(queue).toBeVisible()
  await staff.checkStaffStep('8-upload')
  await expect(queue.getByRole('status')).toHaveText(`${counts.images} of ${counts.images} files done`, {
    timeout: isLong ? 1_800_000 : 60_000,
  })
  await expect(page.getByRole('tab', { name: /^Processing/ })).toContainText('0', {
    timeout: isLong ? 1_800_000 : 60_000,
  })
}

const publishImagesAndJob = async (staff: StaffPage): Promise<void> => {
  const { page } = staff
  await expect(page.getByRole('tab', { name: /^To match/ })).toContainText('0')
  await staff.press(page.getByRole('tab', { name: /^To publish/ }))
  await staff.press(staff.button(`Publish all ${counts.images}`))
  await staff.press(staff.button(`Publish ${counts.images}`))
  await expect(page.getByText('No images here')).toBeVisible()
  await staff.press(page.getByRole('tab', { name: /^All/ }))
  await staff.checkStaffStep('9-images')
  await staff.follow('Overview', staff.jobNavigation)
  // This setting is only recommended, so the job can be published without it.
  await expect(page.getByText('Set the last day that images are online')).toBeVisible()
  await staff.press(staff.button('Publish'))
  await expect(page.getByRole('link', { name: 'View as a parent' })).toHaveAttribute(
    'href',
    `${studioPath}/code/${eventCode}`,
  )
  await staff.checkStaffStep('10-published')
}

const orderAsParent = async (browser: Browser, baseURL: string): Promise<void> => {
  const phone = await browser.newContext({ baseURL, viewport: { width: 390, height: 844 }, hasTouch: true })
  const customerPage = await phone.newPage()
  await customerPage.goto(studioPath)
  await enterAccessCode(customerPage, eventCode)
  await searchSubject(customerPage, 'Ada', 'Adler')
  await customerPage.getByRole('button', { name: /Ada Adler/ }).click()
  await customerPage.getByRole('button', { name: 'Yes, show the photos' }).click()
  await customerPage.getByRole('button', { name: /^Choose: Keepsake/ }).click()
  await addToCart(customerPage)
  await expect(cartStatus(customerPage)).toHaveText('Saved')
  await fillCheckoutForm(customerPage)
  await fillCardForm(customerPage, '4242 4242 4242 4242')
  await pay(customerPage)
  await readOrderNumber(customerPage)
  await phone.close()
}

for (const size of casesOfRun(sizeNames)) {
  const { viewport, hasTouch } = sizes[size]
  test.describe(`on ${size}`, () => {
    test.use({ size, viewport, hasTouch, isMobile: false, deviceScaleFactor: 1, actionTimeout: 20_000 })
    test.setTimeout(isLong ? 3_600_000 : checksScreens ? 900_000 : 300_000)

    test('A new studio sets up its first job, and a parent orders photos', async ({
      page,
      browser,
      emptyProduct,
      folder,
    }) => {
      const staff = new StaffPage(page, size)
      const paths = await test.step('The camera’s images are written', () =>
        writeCameraImages(folder, imageNames, isLong ? shootCamera : smallCamera))
      await test.step('The owner registers a studio', () => registerStudio(staff))
      await test.step('The owner adds an organization', () => addOrganization(staff))
      await test.step('The studio is verified', () => verifyStudio(staff))
      await test.step('The owner creates a job', () => createJob(staff))
      await test.step('The owner imports a list of subjects', () => importSubjects(staff))
      await test.step('The owner creates a package set with a package', () => createPackageSet(staff))
      const memory = await test.step('The owner uploads the images', async (): Promise<MemoryUse> => {
        const idle = residentBytes(emptyProduct.pid)
        return { idle, peak: await peakResidentBytes(emptyProduct.pid, () => uploadImages(staff, paths)) }
      })
      process.stdout.write(
        `  ${counts.images} images on ${size} (${emptyProduct.engine}): ${formatMemoryUse(memory)}\n`,
      )
      if (isLong) expect(isWithinUploadMemory(emptyProduct.engine, memory), formatMemoryUse(memory)).toBe(true)
      await test.step('The owner publishes the images and the job', () => publishImagesAndJob(staff))
      await test.step('A parent orders a package', () => orderAsParent(browser, emptyProduct.url))
      await test.step('The order is counted on the job’s overview', async () => {
        // The overview reloads its data when it is opened again.
        await staff.follow('Subjects', staff.jobNavigation)
        await staff.expectTitle('Subjects')
        await staff.follow('Overview', staff.jobNavigation)
        await expect(page.getByText(/1 order for \$/)).toBeVisible()
      })
    })
  })
}
