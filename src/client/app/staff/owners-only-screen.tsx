import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'

/** Shown to administrators of the platform instead of a screen that only the owners of the studio can open, even where they allow changes. */
export const OwnersOnlyScreen = ({ studioId, title }: { studioId: number; title: string }) => (
  <StaffScreen title={title} trail={[{ label: 'Settings', href: staffUrls.studio(studioId, 'settings') }]}>
    <EmptyState title="For the owners only">
      <p>What is changed here stays in effect after your access has ended, so administrators cannot open this page.</p>
    </EmptyState>
  </StaffScreen>
)
