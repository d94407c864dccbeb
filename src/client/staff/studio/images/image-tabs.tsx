import { useJob, useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { TabLinks } from '#ui/navigation/tabs.tsx'

const tabs = [
  { label: 'Images', tail: 'images' },
  { label: 'Yearbook', tail: 'images/yearbook', feature: 'yearbookPose' },
  { label: 'Exports', tail: 'images/exports' },
] as const

/** Links between the screens of a job's images. */
export const ImageTabs = ({ current }: { current: (typeof tabs)[number]['tail'] }) => {
  const { features } = useStudio()
  const { params: job } = useJob()
  const links = tabs
    .filter((tab) => !('feature' in tab) || features.has(tab.feature))
    .map(({ label, tail }) => ({ label, href: staffUrls.job(job, tail), current: tail === current }))
  return <TabLinks label="Images" links={links} />
}
