import { QueryClientProvider } from '@tanstack/react-query'
import { getDefaultStore } from 'jotai'
import { act, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useCurrentUrl } from '#client/app/match-route.ts'
import { StaffApp } from '#client/app/staff/staff-app.tsx'
import { AccountScreen } from '#client/staff/account/account-screen.tsx'
import { queryClient } from '#client/staff/kit/query/query-client.ts'
import { StudioContext } from '#client/staff/kit/routing/staff-context.ts'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { PrefieldsScreen } from '#client/staff/studio/job-editor/prefields-screen.tsx'
import { WorkflowsScreen } from '#client/staff/studio/job-editor/workflows-screen.tsx'
import { ContactPanel } from '#client/staff/studio/organizations/contact-panel.tsx'
import { SubjectBulkActions } from '#client/staff/studio/subjects/subject-bulk-actions.tsx'
import { SubjectScreen } from '#client/staff/studio/subjects/subject-screen.tsx'
import { useSubjectBulkEdits } from '#client/staff/studio/subjects/use-subject-bulk-edits.ts'
import type { JobSettings } from '#contract/studio/job-settings.ts'
import type { Studio } from '#contract/studio/studio.ts'
import type { StudioSubject } from '#contract/studio/subjects.ts'
import { click, fire, getButton, render, type as typeIn, waitForPage } from '#support/rendering/render.tsx'
import { jobSettingsResponse } from '#support/rendering/render-staff-screen.tsx'
import { toastLog } from '#ui/toast/toast.ts'
import { ToastHost } from '#ui/toast/toast-host.tsx'

const exp = 4_000_000_000
const token = `h.${btoa(JSON.stringify({ nameid: '7', permission: 'studio.crud', studio_id: 3, exp }))}.s`

const studioSummary = {
  ...{ id: 3, name: 'Riverside', slug: 'riverside', timeZone: 'America/New_York' },
  ...{ isMillersVerified: true, features: new Set(['workflows']) },
}

const account = {
  ...{ id: 7, name: 'Sam', email: 'sam@riverside.test', role: 'staff' },
  ...{ studioId: 3, studioName: 'Riverside', version: 1 },
}
const preferences = { id: 1, userId: 7, buildMaximumCropperSize: 200, buildImagesPerRow: 6, useDarkMode: false }

/** A field of type choice without options. */
const choiceField = {
  ...{ id: 1, name: 'Grade', label: 'Grade', inputType: 'text' as const, required: false },
  ...{ hasOptions: true, options: [], templateId: null },
}

const settings: JobSettings = {
  ...jobSettingsResponse,
  general: { ...jobSettingsResponse.general, name: 'Fall', code: 'FALL', organizationId: 5 },
  prefields: [choiceField],
}

const noAddress = { address1: '', address2: '', city: '', state: '', zip: '' }
const studio: Studio = {
  ...{ id: 3, slug: 'riverside', name: 'Riverside', phone: '', email: '', website: '', address: noAddress },
  ...{ timeZone: 'America/New_York', hosts: [], accent: null, logo: null, logoShape: null, version: 1 },
  ...{
    hasLegacyJobs: false,
    hasRSPOJobs: false,
    rspoEnabled: true,
    deletesAt: null,
    isMillersVerified: true,
    verification: null,
  },
  packagePreferences: {
    ...{ taxClass: 'standard', allowConsumerCrop: true, order: 'last', offeredPrepay: true, offeredGallery: true },
  },
  reminderPreferences: { 'order-by': true, 'images-online': true, cart: true },
  isSharingEnabled: true,
}

/** A subject as loaded before grade 9 was removed from the job's options. */
const ada: StudioSubject = {
  ...{ id: 7, jobId: 12, firstName: 'Ada', lastName: 'Lovelace', reference: null, code: null, version: 1 },
  ...{ fields: [], knownFields: [{ name: 'Grade', label: 'Grade', options: ['3', '4', '9'] }] },
  ...{ imageThumbnailUrl: null, groups: [], images: [], orders: [], checkedInAt: null },
  ...{ isHidden: false, hiddenAt: null, createdAt: '2027-04-01T10:00:00.000Z' },
}

/** The server's response to each call. All other calls fail. */
const dataByPath: Record<string, unknown> = {
  '/api/account': account,
  '/api/account/preferences': preferences,
  '/api/studioadmin/studios/3/jobs/12/workflow': { workflowId: null, name: null, version: 0, steps: [] },
  '/api/v3/workflows': [{ id: 4, name: 'Spring', steps: [] }],
  '/api/studioadmin/studios/3/jobs/12/settings': settings,
  '/api/studioadmin/studios/3/organizations/5/contacts': { contact: null },
  '/api/studioadmin/studios/3': studio,
  '/api/studioadmin/studios/3/features': [],
  '/api/studioadmin/studios/3/jobs/12/subjects/7': ada,
}

const rejectionsByRequest: Record<string, { errors: string[]; fields?: Record<string, string[]> }> = {
  'PUT /api/studioadmin/studios/3/jobs/12/workflow': {
    errors: ['This workflow is not there any more', 'Choose another'],
  },
  'PATCH /api/studioadmin/studios/3/jobs/12/subjects/7': {
    errors: ['Please fix the fields marked below'],
    fields: { 'fields.Grade': ['This value must be one of 3, 4'] },
  },
  'POST /api/studioadmin/studios/3/jobs/12/subjects/edits': {
    errors: ['Please fix the fields marked below'],
    fields: { value: ['This value must be one of 3, 4'] },
  },
}

/** Stubs the server. Paths in `failingPaths` fail, and `overrides` replaces single responses. */
const stubServer = (failingPaths: readonly string[] = [], overrides: typeof dataByPath = {}) =>
  vi.stubGlobal('fetch', async (address: string, { method = 'GET' }: RequestInit = {}) => {
    const [path = ''] = address.split('?', 1)
    const rejection = rejectionsByRequest[`${method} ${path}`]
    if (rejection) return Response.json({ ...rejection, problem: 'refused' }, { status: 422 })
    // A proxy responds instead of the server.
    if (`${method} ${path}` === 'PATCH /api/account') return new Response('<h1>Not allowed</h1>', { status: 405 })
    const data = failingPaths.includes(path) ? undefined : { ...dataByPath, ...overrides }[path]
    if (data === undefined) return Response.json({ errors: ['Something else went wrong'] }, { status: 500 })
    return Response.json({ data })
  })

beforeEach(() => {
  localStorage.setItem('authToken', token)
  const claims = { userId: '7', name: 'Anonymous', email: null, permissions: ['studio.crud' as const] }
  getDefaultStore().set(claimsAtom, { ...claims, studioId: 3, expiresAt: exp * 1000 })
})
afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
  localStorage.clear()
  sessionStorage.clear()
})

const renderScreen = (screen: ReactNode) =>
  render(
    <QueryClientProvider client={queryClient}>
      <StudioContext value={studioSummary}>{screen}</StudioContext>
      <ToastHost />
    </QueryClientProvider>,
  )

const findInput = async (label: string): Promise<HTMLInputElement> =>
  waitForPage(() => {
    const labelElement = [...document.querySelectorAll('label')].find(({ textContent }) =>
      textContent?.startsWith(label),
    )
    const control = labelElement && document.getElementById(labelElement.htmlFor)
    if (control instanceof HTMLInputElement) return control
    throw new Error(`no field "${label}" in ${document.body.textContent}`)
  })

const StaffPage = () => <StaffApp address={useCurrentUrl()} />

/** Opens a staff address with all of its guards. */
const openAddress = (address: string) => {
  history.replaceState(null, '', address)
  renderScreen(<StaffPage />)
}

const BulkActions = () => (
  <SubjectBulkActions
    {...{
      job: { studioId: 3, jobId: 12 },
      selectedSubjects: { ids: [7] },
      edits: useSubjectBulkEdits({ studioId: 3, jobId: 12 }),
    }}
    {...{ groups: [], fieldNames: ['Grade'], deletable: null, onDeleted: () => undefined }}
  />
)

/** Chooses in the only select on the screen, once it has options. */
const chooseOption = async (value: string) => {
  const select = await waitForPage(() => {
    const element = document.querySelector('select')
    if (element && element.options.length > 1) return element
    throw new Error(`no choices yet in ${document.body.textContent}`)
  })
  select.value = value
  await fire(select, new Event('change', { bubbles: true }))
}

/** Submits the form of a control. */
const submit = (control: HTMLInputElement) => act(async () => control.form?.requestSubmit())

type ExactTextCase = [text: string, section: string, trigger: () => Promise<void>]

const exactTextCases: ExactTextCase[] = [
  [
    'Failed to fetch workflows',
    'section 8',
    async () => {
      stubServer(['/api/v3/workflows'])
      renderScreen(<WorkflowsScreen studioId={3} jobId={12} />)
    },
  ],
  [
    'Oops:\nThis workflow is not there any more\nChoose another',
    'section 8',
    async () => {
      stubServer()
      renderScreen(<WorkflowsScreen studioId={3} jobId={12} />)
      await chooseOption('4')
    },
  ],
  [
    'Requires at least 1 item',
    'section 5',
    async () => {
      stubServer()
      renderScreen(<PrefieldsScreen studioId={3} jobId={12} />)
      await submit(await findInput('Question'))
    },
  ],
  [
    'Anonymous',
    'section 3',
    async () => {
      stubServer(['/api/account'])
      renderScreen(<AccountScreen />)
    },
  ],
  [
    'Access to Route Denied',
    'section 2',
    async () => {
      stubServer()
      openAddress('/admin/studios/3/jobs/12/workflows')
    },
  ],
  [
    'This studio needs to be verified by the partner to access this feature',
    'section 2',
    async () => {
      stubServer([], { '/api/studioadmin/studios/3': { ...studio, isMillersVerified: false } })
      openAddress('/admin/studios/3/galleries')
    },
  ],
  [
    'There was an error loading the studio',
    'section 8',
    async () => {
      stubServer(['/api/studioadmin/studios/3'])
      openAddress('/admin/studios/3/jobs')
    },
  ],
  [
    'There was an error loading the studio',
    'section 5: rspoEnabled',
    async () => {
      stubServer([], { '/api/studioadmin/studios/3': { ...studio, rspoEnabled: false } })
      openAddress('/admin/studios/3/jobs')
    },
  ],
  ...(['This field is required', 'Please fix the fields marked below'] as const).map(
    (text): ExactTextCase => [
      text,
      'section 5',
      async () => {
        stubServer()
        renderScreen(<AccountScreen />)
        const name = await findInput('Name')
        typeIn(name, '')
        await submit(name)
      },
    ],
  ),
  [
    'An error occurred',
    'section 8',
    async () => {
      stubServer()
      renderScreen(<AccountScreen />)
      const name = await findInput('Name')
      typeIn(name, 'Samuel')
      await submit(name)
    },
  ],
  [
    'This value must be one of 3, 4',
    'section 5: an option that was removed',
    async () => {
      stubServer()
      renderScreen(<SubjectScreen studioId={3} jobId={12} subjectId={7} />)
      await chooseOption('9')
      await submit(await findInput('First name'))
    },
  ],
  [
    'This value must be one of 3, 4',
    'section 5: a field of many subjects',
    async () => {
      stubServer()
      renderScreen(<BulkActions />)
      click(getButton('Edit field'))
      typeIn(await findInput('Field'), 'Grade')
      typeIn(await findInput('Value'), '5')
      await act(async () => click(getButton('Set it')))
    },
  ],
  [
    'This value must be at least 100',
    'section 5',
    async () => {
      stubServer()
      renderScreen(<AccountScreen />)
      const size = await findInput('Max crop size (px)')
      typeIn(size, '1')
      await submit(size)
    },
  ],
  [
    "This value doesn't match",
    'section 5',
    async () => {
      stubServer()
      renderScreen(<AccountScreen />)
      const repeatedPassword = await findInput('New password again')
      typeIn(await findInput('New password'), 'one long password')
      typeIn(repeatedPassword, 'another long password')
      await submit(repeatedPassword)
    },
  ],
  ...(['This value is not a valid email address', 'This value is not a valid phone number'] as const).map(
    (text): ExactTextCase => [
      text,
      'section 5',
      async () => {
        stubServer()
        renderScreen(<ContactPanel studioId={3} organizationId={5} />)
        const phone = await findInput('Contact’s phone')
        typeIn(await findInput('Contact’s email'), 'nobody')
        typeIn(phone, '12')
        await submit(phone)
      },
    ],
  ),
]

test.each(exactTextCases)('“%s” appears when it is triggered (%s)', async (text, _, trigger) => {
  // Toasts of earlier tests may still be on the screen.
  expect(toastLog.current().map((toast) => toast.text)).not.toContain(text)
  await trigger()
  await waitForPage(() => expect(document.body.textContent).toContain(text))
})
