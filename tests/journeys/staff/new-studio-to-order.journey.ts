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
import { expect, test as journeys } from '#support/journeys/journey-test.ts'
import {
  formatMemoryUse,
  isWithinUploadMemory,
  type MemoryUse,
  peakResidentBytes,
  residentBytes,
} from '#support/measurement/resident-memory.ts'
import { type EmptyProduct, startEmptyProduct } from '#support/product/empty-product.ts'
import { chosen, isWhole } from '#support/seed.ts'

const isLong = process.env.LONG === '1'
const isDrawn = isLong || process.env.LOOKS === '1'
const counts = isLong ? { people: 300, pictures: 600 } : { people: 12, pictures: 12 }

const firstNames =
  'Ada Alan Grace Mary Rosa Ivan Nina Omar Lena Hugo Cora Theo Iris Noah Vera Juno Emil Dora Otto Ruth'.split(' ')
const lastNames = 'Adler Baker Costa Dunn Ellis Flores Gray Hale Ito Jensen Khan Lopez Moore Nash Ortiz'.split(' ')

const people = Array.from({ length: counts.people }, (_, n) => ({
  firstName: firstNames[n % firstNames.length] ?? '',
  lastName: lastNames[Math.floor(n / firstNames.length)] ?? '',
  studentId: String(4100 + n),
  homeroom: `Room ${1 + (n % 12)}`,
}))

const list = ['First Name,Last Name,Student ID,Homeroom']
  .concat(people.map((one) => `${one.firstName},${one.lastName},${one.studentId},${one.homeroom}`))
  .join('\r\n')

const pictureNames = Array.from({ length: counts.pictures }, (_, n) => {
  const { firstName = '', lastName = '' } = people[n % people.length] ?? {}
  return `${firstName} ${lastName} ${1 + Math.floor(n / people.length)}.jpg`
})

const eventCode = 'SPRING27'
const studioPath = '/northlight-photo'

const sizes = {
  'a tablet': { viewport: { width: 1024, height: 768 }, hasTouch: true, server: undefined },
  'a desk': { viewport: { width: 1280, height: 800 }, hasTouch: false, server: process.env.TEST_DATABASE_URL },
} as const
type Size = keyof typeof sizes
const sizeNames = ['a tablet', 'a desk'] as const satisfies readonly Size[]

type Own = { size: Size; bare: EmptyProduct; folder: string }

const test = journeys.extend<Own>({
  size: ['a tablet', { option: true }],
  bare: async ({ size }, use) => {
    const bare = await startEmptyProduct({
      server: isWhole ? sizes[size].server : undefined,
      starts: 2,
      // In production mode nothing with a cost can be published without them.
      seed: async ({ db }) => {
        await db.insertInto('tax_rates').values({ region: 'OH', rate_millionths: 0 }).execute()
      },
    })
    await use(bare)
    await bare.remove()
    expect(bare.errors()).toEqual([])
  },
  folder: async ({ size: _ }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'fieldproof-shoot-'))
    await use(folder)
    await rm(folder, { recursive: true, force: true })
  },
  baseURL: async ({ bare }, use) => use(bare.url),
})

/** A staff member with a screen of this size: touch on a tablet, a mouse at a desk. */
class Staff {
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

  /** Follows a link by name: on the screen itself, in the rail, or behind its "More". */
  async go(name: string | RegExp, within: Locator = this.page.locator('body')): Promise<void> {
    await this.press(within.getByRole('link', { name, exact: true }).filter({ visible: true }).first())
  }

  async type(name: string | RegExp, text: string): Promise<void> {
    await this.page.getByRole('textbox', { name, exact: true }).fill(text)
  }

  title(name: string | RegExp): Promise<void> {
    return expect(this.page.getByRole('heading', { level: 1, name })).toBeVisible()
  }

  /** The sections of the open job. */
  get job(): Locator {
    return this.page.getByRole('navigation', { name: 'Spring portraits' })
  }

  async look(name: string): Promise<void> {
    if (!isDrawn) return
    await checkStaffScreen(this.page, `90-whole-${name}`)
    await this.page.setViewportSize(sizes[this.#size].viewport)
  }
}

const beginStudio = async (staff: Staff): Promise<void> => {
  const { page } = staff
  await page.goto('/')
  await staff.go('Studio Login')
  await staff.go('Set up a new studio')
  await staff.type('Studio name', 'Northlight Photo')
  await expect(page.getByText('This address is free.')).toBeVisible()
  await staff.type('Your name', 'Nora Light')
  await staff.type('Email', 'nora@northlight.test')
  await page.getByLabel('Password', { exact: true }).fill('a river in spring')
  await page.getByLabel('Password, once more').fill('a river in spring')
  await staff.press(staff.button('Set up my studio'))
  await staff.title('Home')
  await staff.look('1-home-of-a-new-studio')
}

const addOrganization = async (staff: Staff): Promise<void> => {
  await staff.go('Add an organization')
  await staff.press(staff.button('New organization').first())
  await staff.type('Name', 'Harbor Elementary')
  await staff.press(staff.button('Create organization'))
  await staff.title('Harbor Elementary')
  await staff.look('2-organization')
}

/** A new studio is not verified, and its galleries stay closed until then. */
const verifyStudio = async (staff: Staff): Promise<void> => {
  const { page } = staff
  await staff.go('Home')
  await staff.go('Make the first job')
  await staff.press(staff.button('New job').first())
  await expect(page.getByText(/^A gallery needs a verified studio/)).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'From a gallery' })).toHaveCount(0)
  await staff.go('Verify this studio')
  await staff.type('Account number', '4600200')
  await page.getByLabel('Password', { exact: true }).fill('partner-demo')
  await staff.press(staff.button('Request verification'))
  await expect(page.getByText('Verified by the partner, account 4600200')).toBeVisible()
}

const makeJob = async (staff: Staff): Promise<void> => {
  await staff.go('Home')
  await staff.go('Make the first job')
  await staff.press(staff.button('New job').first())
  await staff.type('Name', 'Spring portraits')
  await staff.page.getByLabel(/^Picture day/).fill('2035-04-02')
  await staff.type(/^Code/, eventCode)
  await staff.page.getByRole('checkbox', { name: 'From a gallery' }).check()
  await staff.page.getByRole('checkbox', { name: 'Before the picture day' }).uncheck()
  await staff.press(staff.button('Create job'))
  await staff.title('Overview')
  await staff.look('3-overview-of-a-new-job')
}

const importPeople = async (staff: Staff): Promise<void> => {
  const { page } = staff
  await staff.go('Data import', staff.job)
  const file = { name: 'harbor.csv', mimeType: 'text/csv', buffer: Buffer.from(list) }
  await page.getByLabel(/Choose a list/).setInputFiles(file)
  await expect(page.getByLabel('“Student ID” is')).toHaveValue('reference')
  await staff.look('4-columns')
  await staff.press(staff.button('Preview'))
  await staff.press(staff.button(`Import ${counts.people} people`))
  await expect(page.getByText('The list is imported')).toBeVisible({ timeout: 60_000 })
  await staff.look('5-imported')
}

const makePackages = async (staff: Staff): Promise<void> => {
  const { page } = staff
  await staff.go('Packages', staff.job)
  await staff.look('6-packages-of-a-new-job')
  await staff.press(staff.button('New package set'))
  await staff.type('Name', 'Spring packages')
  await staff.press(staff.button('Save'))
  await staff.title('Spring packages')
  await staff.go('New package')
  await staff.type('Name', 'Keepsake')
  await page.getByRole('spinbutton', { name: 'Price, $' }).fill('19.5')
  await staff.press(page.getByRole('tab', { name: /What is in it/ }))
  await staff.press(staff.button('Add product'))
  await staff.press(page.getByRole('button', { name: /^8×10 print/ }))
  await staff.look('7-package')
  await staff.press(staff.button('Save'))
  await staff.title('Keepsake')
}

const uploadPictures = async (staff: Staff, paths: readonly string[]): Promise<void> => {
  const { page } = staff
  await staff.go('Images', staff.job)
  await page.getByRole('combobox', { name: 'Find whose they are' }).selectOption('By file name')
  await page.getByLabel('Pictures to upload').setInputFiles([...paths])
  const queue = page.getByRole('region', { name: 'Files on their way' })
  await expect(queue).toBeVisible()
  await staff.look('8-upload')
  await expect(queue.getByRole('status')).toHaveText(`${counts.pictures} of ${counts.pictures} files done`, {
    timeout: isLong ? 1_800_000 : 60_000,
  })
  await expect(page.getByRole('tab', { name: /^Being made ready/ })).toContainText('0', {
    timeout: isLong ? 1_800_000 : 60_000,
  })
}

const publishAll = async (staff: Staff): Promise<void> => {
  const { page } = staff
  await expect(page.getByRole('tab', { name: /^To match/ })).toContainText('0')
  await staff.press(page.getByRole('tab', { name: /^To publish/ }))
  await staff.press(staff.button(`Publish all ${counts.pictures}`))
  await staff.press(staff.button(`Publish ${counts.pictures}`))
  await expect(page.getByText('No pictures here')).toBeVisible()
  await staff.press(page.getByRole('tab', { name: /^All/ }))
  await staff.look('9-images')
  await staff.go('Overview', staff.job)
  // No required field is missing; a gallery's recommended ones may be empty.
  await expect(page.getByText('Say until when pictures are online')).toBeVisible()
  await staff.press(staff.button('Publish'))
  await expect(page.getByRole('link', { name: 'View as a parent' })).toHaveAttribute(
    'href',
    `${studioPath}/code/${eventCode}`,
  )
  await staff.look('10-published')
}

const order = async (browser: Browser, baseURL: string): Promise<void> => {
  const phone = await browser.newContext({ baseURL, viewport: { width: 390, height: 844 }, hasTouch: true })
  const parent = await phone.newPage()
  await parent.goto(studioPath)
  await enterAccessCode(parent, eventCode)
  await searchSubject(parent, 'Ada', 'Adler')
  await parent.getByRole('button', { name: /Ada Adler/ }).click()
  await parent.getByRole('button', { name: 'Yes, show the pictures' }).click()
  await parent.getByRole('button', { name: /^Choose: Keepsake/ }).click()
  await parent.getByRole('button', { name: 'Next' }).click()
  await addToCart(parent)
  await expect(cartStatus(parent)).toHaveText('Saved')
  await fillCheckoutForm(parent)
  await fillCardForm(parent, '4242 4242 4242 4242')
  await pay(parent)
  await readOrderNumber(parent)
  await phone.close()
}

for (const size of chosen(sizeNames)) {
  const { viewport, hasTouch } = sizes[size]
  test.describe(`at ${size}`, () => {
    test.use({ size, viewport, hasTouch, isMobile: false, deviceScaleFactor: 1, actionTimeout: 20_000 })
    test.setTimeout(isLong ? 3_600_000 : isDrawn ? 900_000 : 300_000)

    test('A studio that has nothing begins, and a parent orders its pictures', async ({
      page,
      browser,
      bare,
      folder,
    }) => {
      const staff = new Staff(page, size)
      const paths = await test.step('a camera takes the pictures', () =>
        writeCameraImages(folder, pictureNames, isLong ? shootCamera : smallCamera))
      await test.step('onboarding', () => beginStudio(staff))
      await test.step('an organization', () => addOrganization(staff))
      await test.step('verification', () => verifyStudio(staff))
      await test.step('a job', () => makeJob(staff))
      await test.step('a list of people', () => importPeople(staff))
      await test.step('a package set, and a package in it', () => makePackages(staff))
      const memory = await test.step('pictures', async (): Promise<MemoryUse> => {
        const idle = residentBytes(bare.pid)
        return { idle, peak: await peakResidentBytes(bare.pid, () => uploadPictures(staff, paths)) }
      })
      process.stdout.write(`  ${counts.pictures} pictures at ${size} (${bare.engine}): ${formatMemoryUse(memory)}\n`)
      if (isLong) expect(isWithinUploadMemory(bare.engine, memory), formatMemoryUse(memory)).toBe(true)
      await test.step('published', () => publishAll(staff))
      await test.step('a parent orders', () => order(browser, bare.url))
      await test.step('the order is there', async () => {
        // The screen reloads its data when they come back to it.
        await staff.go('Subjects', staff.job)
        await staff.title('Subjects')
        await staff.go('Overview', staff.job)
        await expect(page.getByText(/1 order for \$/)).toBeVisible()
      })
    })
  })
}
