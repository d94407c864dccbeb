import type { ReactNode } from 'react'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getJobSettings, type JobSettings } from '#contract/studio/job-settings.ts'
import { TabLinks } from '#ui/navigation/tabs.tsx'
import styles from './job-settings.module.css'

/** A group of form fields with a heading. */
export const FormSection = ({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) => (
  <fieldset className={styles.section}>
    <legend>{title}</legend>
    {lead && <p className={styles.lead}>{lead}</p>}
    {children}
  </fieldset>
)

const tabs = [
  { tail: 'settings/general', label: 'General' },
  { tail: 'settings/standard', label: 'Order services' },
  { tail: 'settings/preorder', label: 'Preorder' },
  { tail: 'settings/prefields', label: 'Preorder fields' },
  { tail: 'settings/gallery', label: 'Gallery' },
] as const

type JobSettingsLayoutProps = {
  params: JobParams
  tail: (typeof tabs)[number]['tail']
  lead?: ReactNode
  children: (settings: JobSettings) => ReactNode
}

/** Layout of a settings tab: links to the other tabs, and the form once the settings are loaded. */
export const JobSettingsLayout = ({ params, tail, lead, children }: JobSettingsLayoutProps) => {
  const { studioId, jobId } = params
  const { isMillersVerified } = useStudio()
  const query = useStaffQuery(getJobSettings, { params: { studioId, jobId } })
  const visibleTabs = tabs.filter((tab) => isMillersVerified || tab.tail !== 'settings/gallery')
  const links = visibleTabs.map((tab) => ({
    label: tab.label,
    href: staffUrls.job(params, tab.tail),
    current: tab.tail === tail,
  }))
  return (
    <StaffScreen title="Settings" lead={lead}>
      <TabLinks label="Settings" links={links} />
      <QueryBoundary query={query}>{children}</QueryBoundary>
    </StaffScreen>
  )
}
