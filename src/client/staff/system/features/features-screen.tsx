import { ResourceScreen } from '#client/staff/kit/resource/resource-screen.tsx'
import { formatCount } from '#client/staff/kit/screen/format.ts'
import {
  deletePlatformFeature,
  listPlatformFeatures,
  type PlatformFeature,
  putPlatformFeature,
} from '#contract/system/platform-features.ts'
import type { Column } from '#ui/table/data-table.tsx'
import { FeatureDialog } from './feature-dialog.tsx'

const columns: readonly Column<PlatformFeature>[] = [
  { id: 'name', header: 'Feature', sort: 'name', cell: ({ name }) => name },
  { id: 'default', header: 'New studios', cell: ({ isDefault }) => (isDefault ? 'Yes' : 'No') },
  {
    id: 'studios',
    header: 'Studios',
    sort: 'studios',
    isNumber: true,
    cell: ({ studioCount }) => formatCount(studioCount),
  },
  { id: 'description', header: 'Description', cell: ({ description }) => description },
]

/** The features that studios can have. They are turned on and off on the screen of each studio. */
export const FeaturesScreen = () => (
  <ResourceScreen
    title="Features"
    lead="What studios can use. Set it here for new studios, and in the list of studios for one of them."
    noun="feature"
    calls={{ list: listPlatformFeatures, put: putPlatformFeature, remove: deletePlatformFeature }}
    columns={columns}
    nameOf={({ name }) => name}
    searchPlaceholder="Name or identifier"
    removalMessage="A feature that a studio has cannot be removed."
    emptyText="Without one, every studio has the same screens."
    dialog={(feature, onClose) => <FeatureDialog feature={feature} onClose={onClose} />}
  />
)
