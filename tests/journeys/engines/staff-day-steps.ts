import type { BrowserDriver } from './browser-driver.ts'
import type { JourneyStep } from './customer-order-steps.ts'

/** Local files that staff upload. */
export type StaffFiles = { readonly listPath: string; readonly imagePaths: readonly string[] }

const studioPath = '/admin/studios/1'
const jobPath = `${studioPath}/jobs/1`

const signIn =
  (url: string) =>
  async (driver: BrowserDriver): Promise<void> => {
    await driver.goTo(`${url}/login?ret=${encodeURIComponent(`${jobPath}/subjects`)}`)
    await driver.type('Email', 'staff@riverside.test')
    await driver.type('Password', 'fieldproof-demo')
    await driver.click('button', 'Log in')
    await driver.waitFor('Lovelace')
  }

const findSubjectInList = async (driver: BrowserDriver): Promise<void> => {
  await driver.type('Find in subjects', 'lovelace')
  await driver.waitFor('1–1 of 1')
  await driver.waitForValue('textbox', 'Find in subjects', 'lovelace')
}

const importList =
  ({ listPath }: StaffFiles) =>
  async (driver: BrowserDriver): Promise<void> => {
    await driver.click('link', 'Import')
    await driver.upload(/Choose a list/, [listPath])
    await driver.waitFor('What are its columns?')
    await driver.click('button', 'Preview')
    await driver.click('button', 'Import 2 people')
    await driver.waitFor('The list is imported')
    await driver.waitFor('2 added')
  }

const uploadImages =
  ({ imagePaths }: StaffFiles) =>
  async (driver: BrowserDriver): Promise<void> => {
    await driver.click('link', 'Images')
    await driver.choose('Match images', 'By file name')
    await driver.upload('Images to upload', imagePaths)
    await driver.waitFor(`${imagePaths.length} of ${imagePaths.length} files done`)
  }

const checkIn = async (driver: BrowserDriver): Promise<void> => {
  await driver.click('link', 'Shoot day')
  await driver.type('Card, code or name', 'ADALVL')
  await driver.press(['Enter'])
  await driver.waitFor('Checked in')
  await driver.type(/^Note/, 'glasses off')
}

const enterOrder = async (driver: BrowserDriver): Promise<void> => {
  await driver.click('link', 'Entry')
  await driver.type('Who', 'ADALVL')
  await driver.press(['Enter'])
  await driver.waitForValue('textbox', 'Last name', 'Lovelace')
  await driver.type('Package', '1')
  await driver.press(['Enter'])
  await driver.choose('Image', /^2 · /)
  await driver.type('First name', 'Grace')
  await driver.type('Last name', 'Lovelace')
  await driver.type('Street address', '1 Mill Street')
  await driver.type('City', 'Dayton')
  await driver.choose('State', 'OH')
  await driver.type('ZIP', '45402')
  await driver.type('Received', '200')
  await driver.waitFor(/Change \$/)
  await driver.click('button', 'Order')
  await driver.waitFor(/Ordered: FP-/)
}

const dragOnPrint =
  (url: string) =>
  async (driver: BrowserDriver): Promise<void> => {
    await driver.goTo(`${url}${studioPath}/pkg-set-mgmt/1/packages/new`)
    await driver.click('tab', 'Contents')
    await driver.click('button', 'Add product')
    await driver.click('button', /^8×10 print/)
    await driver.click('button', 'Text')
    await driver.waitForValue('textbox', 'Top, %', '80')
    await driver.drag(/^Name, text/, { x: 0, y: -100 })
    await driver.waitForValue('textbox', 'Top, %', /^[4-7]\d(\.\d+)?$/)
    await driver.click('button', 'Undo')
    await driver.waitForValue('textbox', 'Top, %', '80')
  }

/** The steps of a staff member's work on a shoot day, at the demo's studio. */
export const staffDaySteps = (url: string, files: StaffFiles): readonly JourneyStep[] => [
  { name: 'Staff sign in', do: signIn(url) },
  { name: 'Staff find a subject in the list', do: findSubjectInList },
  { name: 'Staff import a list of subjects', do: importList(files) },
  { name: 'Staff upload images', do: uploadImages(files) },
  { name: 'Staff check in a subject', do: checkIn },
  { name: 'Staff enter a paper order', do: enterOrder },
  { name: 'Staff drag a text on a print', do: dragOnPrint(url) },
]
