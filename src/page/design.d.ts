declare module "virtual:design.css";
declare module "*.css";
