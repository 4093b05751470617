/** A folder that was chosen or dropped. */
export interface Folder {
  readonly name: string;
  /** By their paths in the folder. */
  readonly files: ReadonlyMap<string, File>;
}

/** The folder of the files that a field for folders has. */
export function chosenFolder(files: Iterable<File>): Folder {
  const paths = [...files].map((file) => [file.webkitRelativePath, file] as const);
  const [name = ''] = paths[0]?.[0].split('/') ?? [];
  return { name, files: new Map(paths.map(([path, file]) => [path.slice(name.length + 1), file])) };
}

/** Reads the names of the files in a dropped folder. @throws DOMException if the browser cannot read it */
export async function droppedFolder(folder: FileSystemDirectoryEntry): Promise<Folder> {
  const files = new Map<string, File>();
  const add = async (directory: FileSystemDirectoryEntry, path: string): Promise<void> => {
    for (const entry of await entriesOf(directory)) {
      const name = path + entry.name;
      if (isDirectory(entry)) await add(entry, `${name}/`);
      else if (isFile(entry))
        files.set(
          name,
          await new Promise<File>((resolve, reject) => {
            entry.file(resolve, reject);
          }),
        );
    }
  };
  await add(folder, '');
  return { name: folder.name, files };
}

export const isDirectory = (entry: FileSystemEntry | null | undefined): entry is FileSystemDirectoryEntry =>
  entry?.isDirectory === true;

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

/** A reader returns the entries in several parts, the last of which is empty. */
async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return all;
    all.push(...some);
  }
}
