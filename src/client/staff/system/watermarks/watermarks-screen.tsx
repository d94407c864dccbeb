import { ResourceScreen } from '#client/staff/kit/resource/resource-screen.tsx'
import { deleteWatermark, listWatermarks, type PlatformWatermark, putWatermark } from '#contract/system/watermarks.ts'
import { type WatermarkDraft, watermarkKinds, watermarkPlacements } from '#domain/platform/watermark.ts'
import type { Column } from '#ui/table/data-table.tsx'
import { PreviewRuns } from './preview-runs.tsx'
import { WatermarkDialog } from './watermark-dialog.tsx'

const columns: readonly Column<PlatformWatermark>[] = [
  { id: 'name', header: 'Watermark', sort: 'name', cell: ({ name }) => name },
  { id: 'shows', header: 'Shows', cell: ({ kind, text }) => (kind === 'text' ? text : watermarkKinds.image) },
  { id: 'pattern', header: 'Pattern', cell: ({ placement }) => watermarkPlacements[placement] },
  { id: 'opacity', header: 'Opacity', isNumber: true, cell: ({ opacityPercent }) => `${opacityPercent}%` },
  { id: 'studio', header: 'Studio', cell: ({ studioName }) => studioName ?? 'All studios' },
  { id: 'default', header: 'Default', cell: ({ isDefault }) => (isDefault ? 'Yes' : 'No') },
  {
    id: 'jobs',
    header: 'Jobs',
    sort: 'jobs',
    isNumber: true,
    cell: ({ jobCount }) => jobCount.toLocaleString('en-US'),
  },
]

const draftOf = (watermark: PlatformWatermark): WatermarkDraft => {
  const { name, kind, text, imageHash, opacityPercent, placement, studioId, isDefault } = watermark
  return { name, kind, text, imageHash, opacityPercent, placement, studioId, isDefault }
}

/** The watermarks of previews, for all studios or one. */
export const WatermarksScreen = () => (
  <ResourceScreen
    title="Watermarks"
    lead="Previews have the watermark of their job, else the default of the studio, else that of all studios, else the studio’s name. Ordered images have none."
    noun="watermark"
    calls={{ list: listWatermarks, put: putWatermark, remove: deleteWatermark }}
    columns={columns}
    nameOf={({ name }) => name}
    draftOf={draftOf}
    searchPlaceholder="Name"
    removalMessage="Previews that have it are made again with another one. If a job has chosen it, it is archived instead."
    emptyText="Until there is a default, previews show the name of their studio."
    dialog={(watermark, onClose) => <WatermarkDialog watermark={watermark} onClose={onClose} />}
  >
    <PreviewRuns />
  </ResourceScreen>
)
