/** The background work of galleries, in the order in which an image passes through it. */
export const galleryWorkKinds = ['upload', 'variant', 'cut-out', 'preview', 'packet', 'export'] as const
export type GalleryWorkKind = (typeof galleryWorkKinds)[number]

/** The names of the kinds on screens. */
export const galleryWorkNames: Readonly<Record<GalleryWorkKind, string>> = {
  upload: 'Uploads',
  variant: 'Image sizes',
  'cut-out': 'Green screens',
  preview: 'Previews made again',
  packet: 'Packets for the lab',
  export: 'Exports',
}

/** The most files, images, packets or exports that one call retries, so that others get the database meanwhile. */
export const maxGalleryWorkPerCall = 500

/** `paused`: work of a paused studio. */
export const galleryWorkStates = ['waiting', 'running', 'failed', 'paused'] as const
export type GalleryWorkState = (typeof galleryWorkStates)[number]
