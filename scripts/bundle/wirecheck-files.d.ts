/** Made by the plug-in of `bundle.mjs`: the files of the package, by their path in it. */
declare module 'wirecheck:files' {
  export const VERSION: string;
  export const FILES: Readonly<Record<string, string>>;
}
