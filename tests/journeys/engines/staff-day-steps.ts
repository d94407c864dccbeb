import type { BrowserDriver } from './browser-driver.ts'
import type { JourneyStep } from './customer-order-steps.ts'

/** Local files that staff upload. */
export type StaffFiles = { readonly list: string; readonly images: readonly string[] }

const studio = '/admin/studios/1'
const spring = `${studio}/jobs/1`

const signIn =
  (url: string) =>
  async (staff: BrowserDriver): Promise<void> => {
    await staff.goTo(`${url}/login?ret=${encodeURIComponent(`${spring}/subjects`)}`)
    await staff.type('Email', 'staff@riverside.test')
    await staff.type('Password', 'fieldproof-demo')
    await staff.click('button', 'Log in')
    await staff.waitFor('Lovelace')
  }

const findSubjectInList = async (staff: BrowserDriver): Promise<void> => {
  await staff.type('Find in subjects', 'lovelace')
  await staff.waitFor('1–1 of 1')
  await staff.waitForValue('textbox', 'Find in subjects', 'lovelace')
}

const importList =
  ({ list }: StaffFiles) =>
  async (staff: BrowserDriver): Promise<void> => {
    await staff.click('link', 'Data import')
    await staff.upload(/Choose a list/, [list])
    await staff.waitFor('What are its columns?')
    await staff.click('button', 'Preview')
    await staff.click('button', 'Import 2 people')
    await staff.waitFor('The list is imported')
    await staff.waitFor('2 added')
  }

const uploadImages =
  ({ images: pictures }: StaffFiles) =>
  async (staff: BrowserDriver): Promise<void> => {
    await staff.click('link', 'Images')
    await staff.choose('Find whose they are', 'By file name')
    await staff.upload('Pictures to upload', pictures)
    await staff.waitFor(`${pictures.length} of ${pictures.length} files done`)
  }

const checkIn = async (staff: BrowserDriver): Promise<void> => {
  await staff.click('link', 'Shoot day')
  await staff.type('Card, code or name', 'ADALVL')
  await staff.press(['Enter'])
  await staff.waitFor('Checked in')
  await staff.type(/^Note/, 'glasses off')
}

const enterOrder = async (staff: BrowserDriver): Promise<void> => {
  await staff.click('link', 'Entry')
  await staff.type('Who', 'ADALVL')
  await staff.press(['Enter'])
  await staff.waitForValue('textbox', 'Last name', 'Lovelace')
  await staff.type('Package', '1')
  await staff.press(['Enter'])
  await staff.choose('Picture', /^2 · /)
  await staff.type('First name', 'Grace')
  await staff.type('Last name', 'Lovelace')
  await staff.type('Street address', '1 Mill Street')
  await staff.type('City', 'Dayton')
  await staff.choose('State', 'OH')
  await staff.type('ZIP', '45402')
  await staff.type('Received', '200')
  await staff.waitFor(/Change \$/)
  await staff.click('button', 'Order')
  await staff.waitFor(/Ordered: FP-/)
}

const dragOnPrint =
  (url: string) =>
  async (staff: BrowserDriver): Promise<void> => {
    await staff.goTo(`${url}${studio}/pkg-set-mgmt/1/packages/new`)
    await staff.click('tab', 'What is in it')
    await staff.click('button', 'Add product')
    await staff.click('button', /^8×10 print/)
    await staff.click('button', 'Text')
    await staff.waitForValue('textbox', 'Top, %', '80')
    await staff.drag(/^Name, text/, { x: 0, y: -100 })
    await staff.waitForValue('textbox', 'Top, %', /^[4-7]\d(\.\d+)?$/)
    await staff.click('button', 'Undo')
    await staff.waitForValue('textbox', 'Top, %', '80')
  }

/** A staff member's work on a tablet on the day of a shoot and the evening after, at the demo's studio. */
export const staffDaySteps = (url: string, chosen: StaffFiles): readonly JourneyStep[] => [
  { name: 'sign in', do: signIn(url) },
  { name: 'find somebody in a list', do: findSubjectInList },
  { name: 'import a list', do: importList(chosen) },
  { name: 'upload pictures', do: uploadImages(chosen) },
  { name: 'check somebody in', do: checkIn },
  { name: 'key in an order on paper', do: enterOrder },
  { name: 'drag a text on a print', do: dragOnPrint(url) },
]
