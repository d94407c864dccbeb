import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { JobsList } from './jobs-list.tsx'

/** All jobs of the studio. */
export const JobsScreen = () => (
  <StaffScreen title="Jobs">
    <JobsList kind="all" />
  </StaffScreen>
)

/** The studio's prepay jobs. */
export const PrepayJobsScreen = () => (
  <StaffScreen title="Prepay" lead="Jobs that parents order from before the picture day.">
    <JobsList kind="prepay" />
  </StaffScreen>
)

/** The studio's gallery jobs. */
export const GalleryJobsScreen = () => (
  <StaffScreen title="Galleries" lead="Jobs whose images parents choose from.">
    <JobsList kind="galleries" />
  </StaffScreen>
)
