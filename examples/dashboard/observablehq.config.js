export default {
  root: "src",
  title: "GPU fleet and models",
  theme: "dashboard", // light or dark, as the reader's system is
  globalStylesheets: [], // the standard one fetches fonts from another host
  head: '<link rel="icon" href="data:,">', // browsers ask for one, and would log that there is none
  pages: [],
  sidebar: false,
  toc: false,
  pager: false,
  footer: "",
};
